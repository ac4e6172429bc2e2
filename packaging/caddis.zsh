#compdef caddis
# Completion of `caddis` for zsh: commands, options, names and values of settings. caddis itself says what may follow.
_caddis() {
  local -a found
  found=("${(@f)$("${words[1]}" complete "${BUFFER[1,CURSOR]}" 2> /dev/null)}")
  found=(${found:#})
  if (( ! $#found )); then
    _files
  elif [[ "${found[1]}" == *= ]]; then
    compadd -S '' -- "${found[@]}"
  else
    [[ "$PREFIX" == *=* ]] && compset -P '*='
    compadd -- "${found[@]}"
  fi
}
_caddis "$@"
