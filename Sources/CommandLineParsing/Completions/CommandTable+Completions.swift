extension CommandTable {
    /// Returns the script with which a shell completes the commands, options, and values of the tool.
    public func completions(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletions(table: self).script
        case .zsh: ZshCompletions(table: self).script
        case .fish: FishCompletions(table: self).script
        }
    }

    /// The tool's name in a form for the name of a shell function.
    var identifier: String {
        String(tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    /// Returns a text as one word for a shell whose single quotes allow no escapes, such as bash and zsh.
    static func quoted(_ text: String) -> String {
        var result = "'"
        for character in text {
            if character == "'" { result += "'\\''" } else { result.append(character) }
        }
        return result + "'"
    }
}
