/// A command of the tool: its help, and the processing of the words after its name.
public struct Command: Sendable {
    enum Action: Sendable {
        /// Parses words into options, and returns the work to do.
        case work(@Sendable ([String], [CommonFlag]) throws(UsageError) -> Work)
        /// A group of commands under a common name.
        case group([Command])
        case help
        case completions
    }

    /// The work that remains after the words have been parsed.
    public typealias Work = @Sendable () throws -> ExitStatus

    /// The name of the command, without the tool's name.
    public let name: String

    /// A line for the help, without a full stop.
    public let abstract: String

    /// Paragraphs separated by empty lines; lines that begin with four spaces are kept unchanged. May be empty.
    public let discussion: String

    /// The number of operands that the command accepts, and their names.
    public let operands: OperandRule

    /// The options of the command, without `--help`, which every command has.
    public var flags: [FlagDescription] { flagList() + commonFlags.map(\.description) }

    /// The options that are common to all commands with work of their own.
    private var commonFlags: [CommonFlag] = []

    /// The options are made when needed: a run needs only those of its own command.
    private let flagList: @Sendable () -> [FlagDescription]

    private(set) var action: Action

    /// Makes a command with its own options.
    public init<Options: OptionTable>(
        _ name: String, _ abstract: String, discussion: String = "", operands: OperandRule = .none,
        options: Options.Type = Options.self, run: @escaping @Sendable (Options) throws -> ExitStatus
    ) {
        let prepare: @Sendable ([String], [CommonFlag]) throws(UsageError) -> Work = {
            words, common throws(UsageError) in
            let options = try OptionParser<Options>.parse(words, common)
            try operands.check(options.operands)
            return { try run(options) }
        }
        self.init(name, abstract, discussion, operands, .work(prepare)) { Options.flags.map(\.description) }
    }

    /// Makes a group of commands, such as `mapping` in `ferry mapping check`.
    public init(_ name: String, _ abstract: String, discussion: String = "", commands: [Command]) {
        self.init(name, abstract, discussion, .none, .group(commands))
    }

    init(
        _ name: String, _ abstract: String, _ discussion: String, _ operands: OperandRule, _ action: Action,
        flags: @escaping @Sendable () -> [FlagDescription] = { [] }
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.operands = operands
        flagList = flags
        self.action = action
    }

    /// Returns the command, and the commands of its group, with common options added.
    func with(_ common: [CommonFlag]) -> Command {
        var command = self
        switch action {
        case .work: command.commonFlags = common
        case .group(let members): command.action = .group(members.map { $0.with(common) })
        case .help, .completions: break
        }
        return command
    }

    /// Parses words into options, and returns the work to do.
    func prepared(_ words: [String]) throws(UsageError) -> Work? {
        guard case .work(let prepare) = action else { return nil }
        return try prepare(words, commonFlags)
    }

    /// The commands of the group; empty for other commands.
    public var subcommands: [Command] {
        guard case .group(let commands) = action else { return [] }
        return commands
    }

    /// The command `ferry help [COMMAND...]`.
    static let help = Command(
        "help", "Show the help of the tool or of a command", "", OperandRule("[COMMAND...]", 0, upTo: .max), .help)

    /// Returns the command `ferry completions bash|zsh|fish`.
    static func completions(of tool: String) -> Command {
        let shells = Shell.allCases.map(\.rawValue)
        let rule = OperandRule(shells.joined(separator: "|"), 1, upTo: 1, completion: .words(shells))
        let discussion =
            "Add a line to your shell's start-up file:\n\n"
            + Shell.allCases.map { $0.startUpLine(for: tool) }.joined(separator: "\n")
        return Command("completions", "Print the completions for a shell", discussion, rule, .completions)
    }
}
