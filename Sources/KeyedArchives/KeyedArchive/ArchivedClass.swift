/// The class of archived objects: its name and the names of its superclasses, as `$classes` lists them.
public struct ArchivedClass: Hashable, Sendable {
    /// The class first, then its superclasses up to `NSObject`.
    public let names: [String]
    /// Names of classes to use where the class is unknown; rare.
    public let hints: [String]

    /// Makes a class of its name and the names of its superclasses, up to `NSObject`.
    public init(_ names: [String], hints: [String] = []) {
        self.names = names
        self.hints = hints
    }

    /// A class directly below `NSObject`.
    public init(_ name: String) {
        self.init([name, "NSObject"])
    }

    /// The name of the class itself.
    public var name: String { names.first ?? "" }

    /// Whether this is the named class or one below it.
    public func isKind(of name: String) -> Bool {
        names.contains(name)
    }
}
