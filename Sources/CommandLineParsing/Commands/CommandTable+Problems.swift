extension CommandTable {
    /// Errors in the declarations themselves, one sentence each; a test expects an empty list.
    public var problems: [String] {
        var problems = duplicates(in: commands.map(\.name), of: tool)
        forEachCommand { path, command in
            let path = path.joined(separator: " ")
            problems += duplicates(in: command.subcommands.map(\.name), of: path)
            problems += Self.problems(of: command, path)
        }
        let names = Set(commands.map(\.name))
        for name in Set(related.joined()).subtracting(names).sorted() {
            problems.append("\(tool): \(name) is named among related commands and is not a command")
        }
        for (path, text) in helpTexts() {
            let wide = text.split(separator: "\n").filter { $0.count > TextWrapping.width }
            problems += wide.map { "\(path): a line of the help has more than \(TextWrapping.width) characters: \($0)" }
        }
        return problems
    }

    private static func problems(of command: Command, _ path: String) -> [String] {
        var problems: [String] = []
        if !isName(command.name) { problems.append("\(path): a name has lower-case letters and hyphens only") }
        if command.abstract.isEmpty || command.abstract.hasSuffix(".") {
            problems.append("\(path): the abstract is a line without a full stop")
        }
        var seen: Set<String> = [FlagDescription.help.spelling, "-h"]
        for flag in command.flags {
            let spellings = [flag.spelling] + (flag.short.map { ["-\($0)"] } ?? [])
            for spelling in spellings where !seen.insert(spelling).inserted {
                problems.append("\(path): \(spelling) is declared twice")
            }
            if !isName(flag.long) || flag.long.count < 2 {
                problems.append("\(path): \(flag.spelling) is not a name of lower-case letters and hyphens")
            }
            if !flag.help.hasSuffix(".") { problems.append("\(path): the help of \(flag.spelling) is not a sentence") }
            if flag.placeholder?.isEmpty == true { problems.append("\(path): \(flag.spelling) has no placeholder") }
        }
        return problems
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix("-")
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    private func duplicates(in names: [String], of path: String) -> [String] {
        var seen: Set<String> = []
        return names.filter { !seen.insert($0).inserted }.map { "\(path): the command \($0) is declared twice" }
    }

    private func helpTexts() -> [(path: String, text: String)] {
        var texts = [(tool, help())]
        forEachCommand { path, command in
            texts.append((path.joined(separator: " "), help(of: command, path: path)))
        }
        return texts
    }
}
