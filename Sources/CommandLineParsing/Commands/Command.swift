/// A command of the tool: what the help says of it, and what it does with the words after its name.
public struct Command: Sendable {
    enum Action: Sendable {
        /// Turns words into options, and those into the work to do.
        case work(@Sendable ([String], [CommonFlag]) throws(UsageError) -> Work)
        /// Only a name before other commands.
        case group([Command])
        case help
        case completions
    }

    /// What remains to be done once the words are understood.
    public typealias Work = @Sendable () throws -> ExitStatus

    /// The word that calls the command, without the tool's name.
    public let name: String

    /// One line, without a full stop.
    public let abstract: String

    /// Paragraphs separated by empty lines; lines that begin with four spaces stay as they are. May be empty.
    public let discussion: String

    /// How many operands the command takes, and what they are called.
    public let operands: OperandRule

    /// The options of the command, without `--help`, which every command has.
    public var flags: [FlagDescription] { flagList() + commonFlags.map(\.description) }

    /// The options that all commands with work of their own have.
    private var commonFlags: [CommonFlag] = []

    /// Made when they are asked for: a run needs those of its own command only.
    private let flagList: @Sendable () -> [FlagDescription]

    private(set) var action: Action

    /// A command with options of its own.
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

    /// A name before other commands, as `mapping` is in `ferry mapping check`.
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

    /// The command, and those that follow its name, with options that all have.
    func with(_ common: [CommonFlag]) -> Command {
        var command = self
        switch action {
        case .work: command.commonFlags = common
        case .group(let members): command.action = .group(members.map { $0.with(common) })
        case .help, .completions: break
        }
        return command
    }

    /// Turns words into options, and those into the work to do.
    func prepared(_ words: [String]) throws(UsageError) -> Work? {
        guard case .work(let prepare) = action else { return nil }
        return try prepare(words, commonFlags)
    }

    /// The commands that follow this one's name; empty unless it is a group.
    public var subcommands: [Command] {
        guard case .group(let commands) = action else { return [] }
        return commands
    }

    /// `ferry help [COMMAND...]`.
    static let help = Command(
        "help", "Show the help of the tool or of a command", "", OperandRule("[COMMAND...]", 0, upTo: .max), .help)

    /// `ferry completions bash|zsh|fish`.
    static func completions(of tool: String) -> Command {
        let shells = Shell.allCases.map(\.rawValue)
        let rule = OperandRule(shells.joined(separator: "|"), 1, upTo: 1, completion: .words(shells))
        let discussion =
            "Add a line to your shell's start-up file:\n\n"
            + Shell.allCases.map { $0.startUpLine(for: tool) }.joined(separator: "\n")
        return Command("completions", "Print the completions for a shell", discussion, rule, .completions)
    }
}
