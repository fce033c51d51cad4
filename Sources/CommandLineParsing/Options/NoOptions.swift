/// The options of a command without options.
public struct NoOptions: OptionTable {
    /// The words after the command, all of which are operands.
    public var operands: [String] = []

    /// Makes an empty set of options.
    public init() {}

    /// The empty list of options.
    public static let flags: [Flag<NoOptions>] = []
}
