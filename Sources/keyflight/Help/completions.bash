
# Words as keyflight takes them: bash breaks cache=nav at its =.
_keyflight_whole_words() {
    local rest=$COMP_LINE before word current head
    local -a words=()
    local -i place number=0
    for place in "${!COMP_WORDS[@]}"; do
        word=${COMP_WORDS[place]}
        before=$rest
        rest=${rest#"${rest%%[![:space:]]*}"}
        if [[ $place -gt 0 && $rest == "$before" ]]; then
            words[${#words[@]}-1]+=$word
        else
            words+=("$word")
        fi
        rest=${rest#"$word"}
        if [[ $place -eq $COMP_CWORD ]]; then number=${#words[@]}-1; fi
    done
    COMP_WORDS=("${words[@]}")
    COMP_CWORD=$number
    current=${words[number]}
    _keyflight "$1" "$current" "${words[number > 0 ? number - 1 : 0]}"
    head=${current%"${current##*[=:]}"}
    if [[ -n $head ]]; then COMPREPLY=("${COMPREPLY[@]#"$head"}"); fi
}
complete -o filenames -F _keyflight_whole_words keyflight
