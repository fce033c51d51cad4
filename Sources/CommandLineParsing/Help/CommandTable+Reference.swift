extension CommandTable {
    /// The reference of all commands in Markdown, as the README has it; its headings are of the third level.
    public func markdownReference() -> String {
        var lines: [String] = []
        forEachCommand { path, command in
            lines += ["### `\(path.joined(separator: " "))`", "", command.abstract + ".", ""]
            lines += ["    " + synopsis(of: command, path: path), ""]
            if !command.discussion.isEmpty { lines += [command.discussion, ""] }
            for flag in command.flags {
                let short = flag.short.map { "`-\($0)`, " } ?? ""
                lines.append("- \(short)`\(flag.usage)`: \(flag.fullHelp)")
            }
            if !command.flags.isEmpty { lines.append("") }
        }
        lines += ["### Exit status", ""]
        lines += ExitStatus.allCases.map { "- `\($0.rawValue)`: \($0.meaning)" }
        return lines.joined(separator: "\n") + "\n"
    }
}
