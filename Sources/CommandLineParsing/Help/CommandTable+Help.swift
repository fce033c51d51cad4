extension CommandTable {
    /// Returns the help of the tool: its commands and exit statuses.
    public func help() -> String {
        var lines = ["\(tool): \(abstract)", "", "Usage: \(tool) COMMAND [options]", "", "Commands:"]
        lines += TextWrapping.columns(commands.map { ($0.name, $0.abstract) })
        lines += ["", "Options:"]
        lines += Self.columns([.help, .version])
        if !environment.isEmpty {
            lines += ["", "Environment:"] + TextWrapping.columns(environment.map { ($0.name, $0.help) })
        }
        lines += ["", "Exit status:"]
        lines += TextWrapping.columns(ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) })
        lines += ["", "\"\(tool) COMMAND --help\" says more about a command."]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the help of a command; `path` contains the words that call it, such as ["ferry", "mapping", "check"].
    func help(of command: Command, path: [String]) -> String {
        var lines = TextWrapping.lines(command.abstract + ".") + [""]
        lines += usage(of: command, path: path)
        if !command.discussion.isEmpty { lines += [""] + TextWrapping.paragraphs(command.discussion) }
        if !command.subcommands.isEmpty {
            lines += ["", "Commands:"]
            lines += TextWrapping.columns(command.subcommands.map { ($0.name, $0.abstract) })
        }
        lines += ["", "Options:"]
        lines += Self.columns(command.flags + [.help])
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the help of the tool or group that has these commands.
    func help(of members: [Command], path: [String]) -> String {
        guard path.count > 1, let group = group(at: path) else { return help() }
        return help(of: group, path: path)
    }

    /// Returns the usage line: the operands, the required options, and whether there are others.
    func synopsis(of command: Command, path: [String]) -> String {
        if !command.subcommands.isEmpty { return path.joined(separator: " ") + " COMMAND" }
        var parts = [path.joined(separator: " ")]
        if !command.operands.synopsis.isEmpty { parts.append(command.operands.synopsis) }
        parts += command.flags.filter(\.isRequired).map(\.usage)
        if command.flags.contains(where: { !$0.isRequired }) { parts.append("[options]") }
        return parts.joined(separator: " ")
    }

    private func usage(of command: Command, path: [String]) -> [String] {
        let heading = "Usage: "
        let lines = TextWrapping.lines(synopsis(of: command, path: path), indentation: heading.count)
        return lines.enumerated().map { $0 == 0 ? heading + $1.dropFirst(heading.count) : $1 }
    }

    private func group(at path: [String]) -> Command? {
        var members = commands
        var found: Command?
        for name in path.dropFirst() {
            found = members.first { $0.name == name }
            members = found?.subcommands ?? []
        }
        return found
    }

    private static func columns(_ flags: [FlagDescription]) -> [String] {
        TextWrapping.columns(
            flags.map { flag in ((flag.short.map { "-\($0), " } ?? "    ") + flag.usage, flag.fullHelp) })
    }
}
