extension CommandTable {
    /// The script that teaches a shell the commands, options, and values of the tool.
    public func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletions(table: self).script
        case .zsh: ZshCompletions(table: self).script
        case .fish: FishCompletions(table: self).script
        }
    }

    /// The tool's name as a part of a shell function's name.
    var identifier: String {
        String(tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    /// A text as one word of a shell that has single quotes without escapes in them, as bash and zsh do.
    static func quoted(_ text: String) -> String {
        var result = "'"
        for character in text {
            if character == "'" { result += "'\\''" } else { result.append(character) }
        }
        return result + "'"
    }
}
