# Names the lines of a .cu file in which a kernel, or another function of the device, uses what only
# the host has: a function or a variable of the same file that has no __device__, or what is of the
# standard library. nvcc refuses that; g++, which compiles for the CPU device, cannot know it. Of
# classes only the member functions are looked at that are defined in them. Where it is not clear
# what is meant, nothing is said: a false alarm would be worse than a miss.
# Usage: awk -f host_functions.awk FILE. Prints "LINE: NAME() has no __device__: CODE" and the like.

# The text without comments and literals; "" within a comment of several lines.
function code_of(line,    out, at) {
    gsub(/\\./, "", line)
    gsub(/"[^"]*"|'[^']'/, "0", line)
    out = ""
    while (line != "") {
        if (in_comment) {
            at = index(line, "*/")
            if (at == 0) return out
            in_comment = 0
            line = substr(line, at + 2)
        } else if (match(line, /\/[*]|\/\//)) {
            out = out substr(line, 1, RSTART - 1)
            if (substr(line, RSTART, 2) == "//") return out
            in_comment = 1
            line = substr(line, RSTART + 2)
        } else {
            return out line
        }
    }
    return out
}

# What a declaration declares: the word before its first parenthesis; "" if it is no function.
function function_of(declaration,    head) {
    sub(/__launch_bounds__ *[(][^)]*[)]/, "", declaration)
    gsub(/__attribute__ *[(][(][^)]*[)][)]/, "", declaration)
    head = declaration
    if (!sub(/ *[(].*/, "", head) || head ~ /=|operator|::/) return ""
    if (head ~ /(^|[^A-Za-z0-9_])(class|struct|union|enum|using|typedef|__shared__)[^A-Za-z0-9_]/ &&
        head !~ /template/) return ""
    if (!match(head, /[A-Za-z_][A-Za-z0-9_]*$/)) return ""
    return substr(head, RSTART)
}

function is_of_device(declaration) { return declaration ~ /__device__|__global__/ }
# A macro of a header may stand for __device__.
function has_macro(declaration) { return declaration ~ /(^|[^A-Za-z0-9_])[A-Z][A-Z_]+[A-Z] / }

# What a declaration declares that is a variable which can change; "" if it is something else.
function variable_of(declaration) {
    gsub(/<[^<>]*>/, "", declaration)
    sub(/ *[=[].*/, "", declaration)
    if (declaration ~ /[(]|operator/ || has_macro(declaration)) return ""
    if (declaration ~ /(^|[^A-Za-z0-9_])(class|struct|union|enum|using|typedef|namespace|extern|friend|template|const|constexpr|constinit|static_assert|__(device|constant|shared|managed)__)([^A-Za-z0-9_]|$)/)
        return ""
    sub(/ +$/, "", declaration)
    if (declaration !~ /[A-Za-z0-9_>&*] +[*&]*[A-Za-z_][A-Za-z0-9_]*$/) return ""
    match(declaration, /[A-Za-z_][A-Za-z0-9_]*$/)
    return substr(declaration, RSTART)
}

# The name of a lambda of the file, which needs a __device__ after its brackets; "" if it is none.
function lambda_of(declaration) {
    if (declaration !~ /(^|[ \t])auto [ \t]*[A-Za-z_][A-Za-z0-9_]* *= *\[/ ||
        is_of_device(declaration) || has_macro(declaration)) return ""
    sub(/ *= *\[.*/, "", declaration)
    match(declaration, /[A-Za-z_][A-Za-z0-9_]*$/)
    return substr(declaration, RSTART)
}

# The name of a member function that is defined in its class; "" if it is something else.
function member_of(declaration) {
    if (is_of_device(declaration) || has_macro(declaration) ||
        declaration ~ /(^|[^A-Za-z0-9_])(operator|constexpr|friend|enum|struct|class|union|return)([^A-Za-z0-9_]|$)|=/)
        return ""
    if (!sub(/ *[(].*/, "", declaration)) return ""
    if (declaration !~ /[A-Za-z0-9_>&*] +[*&]*[A-Za-z_][A-Za-z0-9_]*$/) return ""
    match(declaration, /[A-Za-z_][A-Za-z0-9_]*$/)
    return substr(declaration, RSTART)
}

# Is it called in this line, where the device would run it? Not as a member, nor where it is
# declared again, nor where a constexpr function gives the compiler a constant.
function calls(line, name,    before) {
    while (match(line, "(^|[^A-Za-z0-9_])" name " *[(]")) {
        before = substr(line, 1, RSTART)
        sub(/ +$/, "", before)
        if (before ~ /(^|[^A-Za-z0-9_])(return|else|do)$/ ||
            before !~ /([.]|->|::|[A-Za-z0-9_]|sizeof *[(]|decltype *[(])$/ &&
            !(is_constexpr[name] && (before ~ /[[<]$/ || line ~ /constexpr|static_assert|case /)))
            return 1
        line = substr(line, RSTART + RLENGTH)
    }
    return 0
}

/^[ \t]*#/ || continued {
    if ($0 ~ /define/ && $0 ~ /__(device|host|global)__/) unclear = 1  # a name for __device__
    continued = /\\$/
    next
}
{
    code = code_of($0)
    body = depth > open_namespaces ? code : ""
    for (i = 1; i <= length(code); ++i) {
        c = substr(code, i, 1)
        if (c == "{") {
            if (in_class && depth == open_namespaces + 1) {
                name = member_of(member)
                if (name != "") host_member[name] = class_name
                else if (is_of_device(member) && match(member, /[A-Za-z_][A-Za-z0-9_]* *[(]/)) {
                    name = substr(member, RSTART, RLENGTH)
                    sub(/ *[(]$/, "", name)
                    device_member[name] = 1
                }
                member = ""
            }
            if (depth == open_namespaces) {
                in_class = declaration ~ /(^|[^A-Za-z0-9_])(class|struct) / && declaration !~ /[(=]/
                member = ""
                class_name = declaration
                sub(/.*(class|struct) +/, "", class_name)
                sub(/[^A-Za-z0-9_].*/, "", class_name)
                if (declaration ~ /namespace|extern +0/ && declaration !~ /[(]/) {
                    ++open_namespaces
                } else {
                    name = variable_of(declaration)
                    if (name != "" && lambda_of(declaration) == "") variable[name] = 1
                    name = lambda_of(declaration)
                    if (name == "") name = function_of(declaration)
                    if (is_of_device(declaration)) heads = heads " " declaration
                    on_device = name != "" && is_of_device(declaration)
                    if (on_device || has_macro(declaration)) known[name] = 1
                    else if (name != "") {
                        host[name] = 1
                        if (declaration ~ /constexpr/) is_constexpr[name] = 1
                    }
                    body = substr(code, i)
                }
                declaration = ""
            }
            ++depth
        } else if (c == "}") {
            --depth
            member = ""
            if (depth < open_namespaces) open_namespaces = depth
            if (depth == open_namespaces) {
                if (on_device) device_body[NR] = device_body[NR] body
                on_device = 0
                body = declaration = ""
            }
        } else if (in_class && depth == open_namespaces + 1) {
            if (c == ";") member = ""
            else member = member c
        } else if (depth == open_namespaces) {
            if (c == ";") {
                name = function_of(declaration)
                if (name != "" && is_of_device(declaration)) known[name] = 1
                name = variable_of(declaration)
                if (name != "") variable[name] = 1
                declaration = ""
            } else {
                declaration = declaration c
            }
        }
    }
    if (depth > open_namespaces && on_device) device_body[NR] = device_body[NR] body
    declaration = declaration " "
    member = member " "
    text[NR] = $0
}

END {
    known["min"] = known["max"] = known["abs"] = 1  # overloads of CUDA's own
    for (line in device_body)
        for (name in host)
            if (device_body[line] ~ "(^|[^A-Za-z0-9_])" name " *=") known[name] = 1  # a lambda
    for (name in variable) {
        declared = "[A-Za-z0-9_>&*] +[*&]*" name " *[=;,:{[(]"
        if (heads ~ "(^|[^A-Za-z0-9_])" name "([^A-Za-z0-9_]|$)") delete variable[name]
        for (line in device_body)
            if (device_body[line] ~ declared && device_body[line] !~ "return +" name)
                delete variable[name]  # another one, of the function
    }
    host_name = "std::(atomic|mutex|[a-z]*_lock|lock_guard|this_thread|min|max|minmax|clamp|swap|" \
                "exchange|array|vector|string|pair|make_pair|tuple|make_tuple|optional|function|" \
                "plus|minus|multiplies|less|greater|numeric_limits|accumulate|sort|bit_cast|popcount)"
    for (line = 1; line <= NR && !unclear; ++line) {
        if (!(line in device_body)) continue
        code = device_body[line]
        gsub(/cuda::std::/, "", code)
        if (match(code, host_name "[^a-z0-9_]"))
            print line ": " substr(code, RSTART, RLENGTH - 1) " is for the host: " text[line]
        if (match(code, /(^|[^A-Za-z0-9_])(thread_local|throw|try)([^A-Za-z0-9_]|$)/))
            print line ": a GPU has no" substr(code, RSTART, RLENGTH) "in a kernel: " text[line]
        for (name in variable)
            if (code ~ "(^|[^A-Za-z0-9_.>:])" name "([^A-Za-z0-9_(:]|$)")
                print line ": " name " is a variable of the host: " text[line]
    }
    for (line = 1; line <= NR && !unclear; ++line)
        for (name in host)
            if (line in device_body && !(name in known) && calls(device_body[line], name))
                print line ": " name "() has no __device__: " text[line]
    for (name in host_member) {  # of a class that the device uses, and not of CUDA's own
        used = "(^|[^A-Za-z0-9_])" host_member[name] "([^A-Za-z0-9_]|$)"
        is_used = heads ~ used
        for (line in device_body) is_used = is_used || device_body[line] ~ used
        if (!is_used ||
            name ~ /^(load|store|exchange|fetch_|compare_|wait|arrive|sync|notify_|size)/)
            delete host_member[name]
    }
    for (line = 1; line <= NR && !unclear; ++line)
        for (name in host_member)
            if (line in device_body && !(name in device_member) &&
                device_body[line] ~ "([.]|->|::)" name " *[(]")
                print line ": the member " name "() has no __device__: " text[line]
}
