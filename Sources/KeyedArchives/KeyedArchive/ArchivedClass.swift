/// The class of archived objects: its name and the names of its superclasses, as in `$classes`.
public struct ArchivedClass: Hashable, Sendable {
    /// The name of the class, followed by those of its superclasses up to `NSObject`.
    public let names: [String]
    /// Names of classes to use if the class is unknown; rare.
    public let hints: [String]

    /// Makes a class from its name and the names of its superclasses, up to `NSObject`.
    public init(_ names: [String], hints: [String] = []) {
        self.names = names
        self.hints = hints
    }

    /// Makes a class that is a direct subclass of `NSObject`.
    public init(_ name: String) {
        self.init([name, "NSObject"])
    }

    /// The name of the class itself.
    public var name: String { names.first ?? "" }

    /// Returns whether this is the named class or a subclass of it.
    public func isKind(of name: String) -> Bool {
        names.contains(name)
    }
}
