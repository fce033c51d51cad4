/// The options and operands of a command, as words turned into values; what they refer to is not looked at yet.
public protocol OptionTable: Sendable {
    /// Makes the options with their defaults.
    init()

    /// The options of the command, in the order in which help shows them.
    static var flags: [Flag<Self>] { get }

    /// The words that are neither options nor their values, in order.
    var operands: [String] { get set }
}
