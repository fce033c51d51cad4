/// The options of a command that has none.
public struct NoOptions: OptionTable {
    /// The words behind the command, which are all operands.
    public var operands: [String] = []

    /// Makes the options, of which there are none.
    public init() {}

    /// No options.
    public static let flags: [Flag<NoOptions>] = []
}
