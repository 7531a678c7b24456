// How CUDA C++ is coloured. shiki has no grammar for CUDA, and its grammar for C++ takes some ten
// times as long as this one for the same text.
const words = (text) => `\\b(?:${text.trim().split(/\s+/).join('|')})\\b`

export const cuda = {
  name: 'cuda',
  scopeName: 'source.cuda',
  aliases: ['cpp', 'cu', 'c++'],
  patterns: [
    { match: '//.*$', name: 'comment.line' },
    { begin: '/\\*', end: '\\*/', name: 'comment.block' },
    { match: '^\\s*(#\\s*\\w+)(\\s*(?:<[^>]*>|"[^"]*"))?',
      captures: { 1: { name: 'keyword.control.directive' }, 2: { name: 'string.quoted' } } },
    { match: '\\bR"\\((?:.*?)\\)"', name: 'string.quoted' },
    { begin: '"', end: '"|$', name: 'string.quoted',
      patterns: [{ match: '\\\\.', name: 'constant.character.escape' }] },
    { match: "(?<![0-9a-fA-F])'(?:[^'\\\\]|\\\\.)+'", name: 'string.quoted' },
    { match: "\\b(?:0[xX][0-9a-fA-F']+|[0-9][0-9']*\\.?[0-9']*(?:[eE][-+]?[0-9]+)?)[a-zA-Z]*" +
        '\\b\\.?',
      name: 'constant.numeric' },
    { match: words(`__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__
        __launch_bounds__ __grid_constant__ __forceinline__ __noinline__ __cluster_dims__`),
      name: 'storage.modifier.cuda' },
    { match: words('threadIdx blockIdx blockDim gridDim warpSize'),
      name: 'variable.language.cuda' },
    { match: '<<<|>>>', name: 'keyword.operator.launch.cuda' },
    { match: words(`break case catch continue default do else for goto if return switch throw try
        while co_await co_return co_yield`), name: 'keyword.control' },
    { match: words(`alignas alignof asm auto class const constexpr consteval const_cast decltype
        delete dynamic_cast enum explicit extern friend inline mutable namespace new noexcept
        operator override private protected public reinterpret_cast sizeof static static_assert
        static_cast struct template thread_local typedef typename union using virtual volatile`),
      name: 'storage.type' },
    { match: words(`bool char double float int long short signed unsigned void wchar_t size_t
        (?:u?int(?:8|16|32|64)|uintptr|ptrdiff)_t (?:u?int|float|double|u?longlong)[1-4] dim3
        __half __nv_bfloat16 cuda\\w*_t`), name: 'support.type' },
    { match: words('true false nullptr this'), name: 'constant.language' },
    { match: '\\b[A-Za-z_]\\w*(?=\\s*(?:<[^<>;(){}]*>)?\\()', name: 'entity.name.function' },
  ],
}
