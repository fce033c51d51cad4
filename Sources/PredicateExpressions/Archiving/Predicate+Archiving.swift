public import KeyedArchives

extension Predicate {
    /// Reads an archived `NSPredicate`.
    /// - Throws: `KeyedArchiveError`, also for classes without a counterpart, such as blocks and custom selectors.
    public init(archived object: ArchivedObject) throws {
        var unarchiver = PredicateUnarchiver()
        self = try unarchiver.predicate(object)
    }

    /// The predicate as a keyed archive of its own, a binary property list.
    /// - Throws: `KeyedArchiveError` with code `notArchivable` for a constant of a kind that no archive holds.
    public func archive() throws -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        var archiver = PredicateArchiver()
        let root = try archiver.add(self, to: &builder)
        return builder.bytes(root: root)
    }
}

extension Expression {
    /// Reads an archived `NSExpression`.
    /// - Throws: `KeyedArchiveError`, also for classes without a counterpart.
    public init(archived object: ArchivedObject) throws {
        var unarchiver = PredicateUnarchiver()
        self = try unarchiver.expression(object)
    }

    /// Reads a keyed archive whose root is an `NSExpression`, as mapping models hold them.
    /// - Throws: `KeyedArchiveError` or `PropertyListError` if the bytes are not an archive of an expression.
    public init(archive bytes: [UInt8]) throws {
        try self.init(archived: KeyedArchive(bytes).root())
    }

    /// The expression as a keyed archive of its own, a binary property list.
    /// - Throws: `KeyedArchiveError` with code `notArchivable` for a constant of a kind that no archive holds.
    public func archive() throws -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        var archiver = PredicateArchiver()
        let root = try archiver.add(self, to: &builder)
        return builder.bytes(root: root)
    }
}
