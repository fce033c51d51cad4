/// The commands of a tool, from which parsing, help, the reference, and completions all come.
public struct CommandTable: Sendable {
    /// As one types it.
    public let tool: String

    public let version: String

    /// One line, without a full stop.
    public let abstract: String

    /// The tool's own commands, then `help` and `completions`.
    public let commands: [Command]

    public init(tool: String, version: String, abstract: String, commands: [Command]) {
        self.tool = tool
        self.version = version
        self.abstract = abstract
        self.commands = commands + [.help, .completions(of: tool)]
    }

    /// Every command with the words that call it, as in ["ferry", "migrate"]; groups come before their members.
    func forEachCommand(_ body: ([String], Command) -> Void) {
        func visit(_ commands: [Command], _ path: [String]) {
            for command in commands {
                let path = path + [command.name]
                body(path, command)
                visit(command.subcommands, path)
            }
        }
        visit(commands, [tool])
    }
}
