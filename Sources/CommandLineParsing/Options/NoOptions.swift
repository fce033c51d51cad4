/// The options of a command that has none.
public struct NoOptions: OptionTable {
    public var operands: [String] = []

    public init() {}

    public static let flags: [Flag<NoOptions>] = []
}
