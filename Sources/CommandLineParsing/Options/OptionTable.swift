/// The options and operands of a command, parsed into values; files and the like are not checked.
public protocol OptionTable: Sendable {
    /// Makes the options with their defaults.
    init()

    /// The options of the command, in the order in which help shows them.
    static var flags: [Flag<Self>] { get }

    /// The words that are neither options nor their values, in order.
    var operands: [String] { get set }
}
