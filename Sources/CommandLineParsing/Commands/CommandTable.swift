/// The commands of a tool, from which parsing, help, the reference, and completions are derived.
public struct CommandTable: Sendable {
    /// The tool's name, as typed.
    public let tool: String

    /// The tool's version, as `--version` prints it.
    public let version: String

    /// Returns the lines that `--version` prints after the version.
    public let buildFacts: @Sendable () -> String

    /// A line for the help, without a full stop.
    public let abstract: String

    /// The tool's own commands, followed by `help` and `completions`.
    public let commands: [Command]

    /// The environment variables that the tool uses.
    public let environment: [EnvironmentVariable]

    /// Groups of names of related commands, between which the reference and the manual pages link.
    public let related: [[String]]

    /// Makes a table of a tool's commands, and adds `help` and `completions`.
    /// - Parameters:
    ///   - tool: the tool's name, as typed.
    ///   - version: the tool's version, as `--version` prints it.
    ///   - abstract: a description of the tool, in a line without a full stop.
    ///   - commands: the commands, in the order in which help shows them.
    ///   - commonFlags: the options common to all commands.
    ///   - environment: the environment variables that the tool uses.
    ///   - related: groups of names of related commands.
    ///   - buildFacts: returns the lines that `--version` prints after the version.
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

    /// Returns the related commands of a command, in the order of the groups.
    func relatedCommands(to name: String) -> [String] {
        var names: [String] = []
        for other in related.filter({ $0.contains(name) }).joined() where other != name && !names.contains(other) {
            names.append(other)
        }
        return names
    }

    /// Calls a closure with every command and the words that call it, such as ["ferry", "migrate"]; groups precede
    /// their members.
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
