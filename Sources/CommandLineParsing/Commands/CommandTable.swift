/// The commands of a tool, from which parsing, help, the reference, and completions all come.
public struct CommandTable: Sendable {
    /// The tool's name, as one types it.
    public let tool: String

    /// The tool's version, as `--version` prints it.
    public let version: String

    /// What `--version` prints below the version, in whole lines.
    public let buildFacts: @Sendable () -> String

    /// One line, without a full stop.
    public let abstract: String

    /// The tool's own commands, then `help` and `completions`.
    public let commands: [Command]

    /// The variables that the tool heeds.
    public let environment: [EnvironmentVariable]

    /// Names of commands that have to do with each other: the reference and the manual pages lead from one to another.
    public let related: [[String]]

    /// Makes a table of a tool's commands; `help` and `completions` are added to them.
    /// - Parameters:
    ///   - tool: the tool's name, as one types it.
    ///   - version: the tool's version, as `--version` prints it.
    ///   - abstract: what the tool does, in a line without a full stop.
    ///   - commands: the commands, in the order in which help shows them.
    ///   - commonFlags: options that all commands have.
    ///   - environment: the variables that the tool heeds.
    ///   - related: groups of names of commands that have to do with each other.
    ///   - buildFacts: what `--version` prints below the version; asked for when it is printed.
    public init(
        tool: String, version: String, abstract: String, commands: [Command], commonFlags: [CommonFlag] = [],
        environment: [EnvironmentVariable] = [], related: [[String]] = [],
        buildFacts: @escaping @Sendable () -> String = { "" }
    ) {
        self.tool = tool
        self.version = version
        self.abstract = abstract
        self.commands = commands.map { $0.with(commonFlags) } + [.help, .completions(of: tool)]
        self.environment = environment
        self.related = related
        self.buildFacts = buildFacts
    }

    /// The other commands of the groups that a command is in, in the order of the groups.
    func relatedCommands(to name: String) -> [String] {
        var names: [String] = []
        for other in related.filter({ $0.contains(name) }).joined() where other != name && !names.contains(other) {
            names.append(other)
        }
        return names
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
