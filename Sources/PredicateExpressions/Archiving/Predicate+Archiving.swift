public import KeyedArchives

extension Predicate {
    /// Reads an archived `NSPredicate`.
    /// - Throws: `KeyedArchiveError`, also for classes without a counterpart, such as blocks and custom selectors.
    public init(archived object: ArchivedObject) throws {
        var unarchiver = PredicateUnarchiver()
        self = try unarchiver.predicate(object)
    }

    /// Returns the predicate as a separate keyed archive, a binary property list.
    /// - Throws: `KeyedArchiveError` with code `notArchivable` for a constant that cannot be archived.
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

    /// Reads a keyed archive whose root is an `NSExpression`, as in mapping models.
    /// - Throws: `KeyedArchiveError` or `PropertyListError` if the bytes are not an archive of an expression.
    public init(archive bytes: [UInt8]) throws {
        try self.init(archived: KeyedArchive(bytes).root())
    }

    /// Returns the expression as a separate keyed archive, a binary property list.
    /// - Throws: `KeyedArchiveError` with code `notArchivable` for a constant that cannot be archived.
    public func archive() throws -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        var archiver = PredicateArchiver()
        let root = try archiver.add(self, to: &builder)
        return builder.bytes(root: root)
    }
}
