"""The pictures of the notes. Each function draws one; its docstring is the file that it draws."""
