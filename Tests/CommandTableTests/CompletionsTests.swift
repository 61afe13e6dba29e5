// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Testing

@Suite struct CompletionsTests {
  let file = Argument("FILE", help: "what to read", completion: .files)
  let name = Argument("NAME", help: "which", completion: .output(of: "names"))
  let either = Argument("NAME|FILE", help: "which", completion: .output(of: "names", orFiles: true))

  var program: CommandLineProgram<Void> {
    let fade = OptionKey.choice("fade", short: "f", value: "LAW", of: ["linear", "power"], help: "the fade's law")
    let socket = OptionKey.path("socket", help: "it's where")
    return CommandLineProgram(
      root: Command(
        "tune", summary: "plays",
        subcommands: [
          Command("play", summary: "plays one", arguments: [name], options: [fade.option]),
          Command("read", summary: "reads one", arguments: [file]),
          Command("see", summary: "sees two", arguments: [either, either]),
        ]), globalOptions: [socket.option], version: "1")
  }

  @Test func bashOffersWhatFitsWhereTheCursorIs() {
    #expect(
      program.completions(for: .bash) == """
        _tune() {
          local path= i
          local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
          for ((i = 1; i < COMP_CWORD; i++)); do
            case "$path ${COMP_WORDS[i]}" in
              ' play'|' read'|' see') path+=" ${COMP_WORDS[i]}" ;;
            esac
          done
          case "$path $previous" in
            *' --socket') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); return ;;
            ' play --fade'|' play -f') COMPREPLY=($(compgen -W "linear power" -- "$current")); return ;;
          esac
          local typed=${COMP_LINE:0:COMP_POINT} there=
          typed=${typed##* }
          [[ $typed == *:* && $typed != "$current" ]] && current=$typed there=${typed%"${typed##*:}"}
          case "$path" in
            '')
              COMPREPLY=($(compgen -W "--socket --help --version play read see" -- "$current"))
              ;;
            ' play')
              COMPREPLY=($(compgen -W "--fade --socket --help $(tune names 2>/dev/null)" -- "$current"))
              ;;
            ' read')
              compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))
              COMPREPLY+=($(compgen -W "--socket --help" -- "$current"))
              ;;
            ' see')
              COMPREPLY=($(compgen -W "--socket --help $(tune names 2>/dev/null)" -- "$current"))
              [[ ${COMPREPLY[*]} ]] || { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); }
              ;;
          esac
          COMPREPLY=("${COMPREPLY[@]#"$there"}")
        }
        complete -F _tune tune

        """)
  }

  @Test func fishNamesEachThingOnce() {
    #expect(
      program.completions(for: .fish) == """
        function __tune_at
          set -l path ''
          for word in (commandline -opc)[2..-1]
            switch "$path $word"
              case ' play' ' read' ' see' '/'
                set path "$path $word"
            end
          end
          test "$path" = "$argv[1]"
        end
        complete -c tune -f
        complete -c tune -l socket -r -F -d 'it'\\''s where'
        complete -c tune -l help -s h -d 'show this help'
        complete -c tune -n "__tune_at ''" -a play -d 'plays one'
        complete -c tune -n "__tune_at ''" -a read -d 'reads one'
        complete -c tune -n "__tune_at ''" -a see -d 'sees two'
        complete -c tune -n "__tune_at ' play'" -l fade -s f -x -a 'linear power' -d 'the fade'\\''s law'
        complete -c tune -n "__tune_at ' play'" -a '(tune names 2>/dev/null)'
        complete -c tune -n "__tune_at ' read'" -F
        complete -c tune -n "__tune_at ' see'" -F -a '(tune names 2>/dev/null)'
        complete -c tune -n "__tune_at ' see'" -F -a '(tune names 2>/dev/null)'

        """)
  }

  @Test func zshOffersWhatFitsWithWhatItMeans() {
    #expect(
      program.completions(for: .zsh) == """
        #compdef tune
        _tune() {
          local at= word
          local -a offers
          for word in "${(@)words[2,CURRENT-1]}"; do
            case "$at $word" in
              ' play'|' read'|' see'|'/') at+=" $word" ;;
            esac
          done
          case "$at ${words[CURRENT-1]}" in
            *' --socket') _files; return ;;
            ' play --fade'|' play -f') compadd -- linear power; return ;;
          esac
          case "$at" in
            '')
              if [[ $PREFIX == -* ]]; then
                offers=('--socket:it'\\''s where' '--help:show this help' '--version:show the version')
                _describe -o option offers
                return
              fi
              offers=('play:plays one' 'read:reads one' 'see:sees two')
              _describe command offers
              ;;
            ' play')
              if [[ $PREFIX == -* ]]; then
                offers=('--fade:the fade'\\''s law' '--socket:it'\\''s where' '--help:show this help')
                _describe -o option offers
                return
              fi
              compadd -- ${(f)"$(tune names 2>/dev/null)"}
              ;;
            ' read')
              if [[ $PREFIX == -* ]]; then
                offers=('--socket:it'\\''s where' '--help:show this help')
                _describe -o option offers
                return
              fi
              _files
              ;;
            ' see')
              if [[ $PREFIX == -* ]]; then
                offers=('--socket:it'\\''s where' '--help:show this help')
                _describe -o option offers
                return
              fi
              compadd -- ${(f)"$(tune names 2>/dev/null)"} || _files
              ;;
          esac
        }
        if [[ $funcstack[1] == _tune ]]; then _tune; else compdef _tune tune; fi

        """)
  }
}
