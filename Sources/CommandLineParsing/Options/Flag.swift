/// An option of a command: how it is spelled, what it means, and which field of the options it sets.
public struct Flag<Options: Sendable>: Sendable {
    public internal(set) var description: FlagDescription

    /// Sets the field; false if the word is not a value of its type. A switch gets an empty word.
    let apply: @Sendable (inout Options, String) -> Bool

    init(_ description: FlagDescription, apply: @escaping @Sendable (inout Options, String) -> Bool) {
        self.description = description
        self.apply = apply
    }

    /// The same option, without which the command line is refused.
    public func required() -> Self {
        var flag = self
        flag.description.isRequired = true
        return flag
    }
}
