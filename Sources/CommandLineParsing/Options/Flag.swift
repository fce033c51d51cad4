/// An option of a command: its spelling, its meaning, and the field of the options that it sets.
public struct Flag<Options: Sendable>: Sendable {
    public internal(set) var description: FlagDescription

    /// Sets the field; returns false if the word is not a value of its type. A switch gets an empty word.
    let apply: @Sendable (inout Options, String) -> Bool

    init(_ description: FlagDescription, apply: @escaping @Sendable (inout Options, String) -> Bool) {
        self.description = description
        self.apply = apply
    }

    /// Returns the option as a required one.
    public func required() -> Self {
        var flag = self
        flag.description.isRequired = true
        return flag
    }
}
