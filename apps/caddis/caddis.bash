# Completion of `caddis` for bash: commands, options, names and values of settings. caddis itself says what may follow.
_caddis() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]}" complete "${COMP_LINE:0:COMP_POINT}" 2> /dev/null))
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _caddis caddis
