/// One of several that work on the same store: a context here, or in another process. Objects have their keys as names.
public protocol ObjectSide: AnyObject {
    /// Makes an object with the number 0, and saves it.
    func insert() throws -> Int64
    /// Reads an object, which stays as it was read.
    func read(_ key: Int64) throws
    func set(_ key: Int64, number: Int) throws
    func set(_ key: Int64, title: String) throws
    func delete(_ key: Int64) throws
    /// - Returns: the objects that somebody else has changed; empty if everything is saved.
    func save() throws -> Set<Int64>
    /// Drops what has changed, and what was read.
    func startOver() throws
    /// Lets go of an object.
    func forget(_ key: Int64) throws
    func values(of key: Int64) throws -> ItemValues
}
