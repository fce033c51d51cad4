/// What an assembly calls when all objects are there.
public protocol AssemblyClient {
    /// A reference leads nowhere.
    ///
    /// - Parameters:
    ///   - payload: what came with the reference.
    ///   - owner: the primary key of the object that refers.
    /// - Throws: any error, which ends the assembly.
    func absent(_ payload: Span<UInt8>, owner: Int64) throws

    /// A row cannot be: it is the first with its key, and lacks what a new object needs; or it is not, and must be.
    ///
    /// - Parameters:
    ///   - payload: what came with the row.
    ///   - isMatch: whether it is because another row has made its object.
    /// - Throws: any error, which ends the assembly.
    func rejected(_ payload: Span<UInt8>, isMatch: Bool) throws

    /// A row cannot be: another object has a value that no two may have.
    ///
    /// - Parameters:
    ///   - payload: what came with the value.
    ///   - constraint: the number that the table gave to `UniqueValues`.
    ///   - rival: the number of a record of that object which is rejected as well, the first one; nil if there is none, or if
    ///     the table does not keep records.
    /// - Throws: any error, which ends the assembly.
    func notUnique(_ payload: Span<UInt8>, constraint: Int, rival: Int64?) throws

    /// A row cannot be: its object, or one that it leads to, has too many links or too few.
    ///
    /// - Parameters:
    ///   - payload: what came with the row.
    ///   - rule: the number that the assembly gave to the `LinkCountRule`.
    ///   - count: the links of the object.
    /// - Throws: any error, which ends the assembly.
    func miscounted(_ payload: Span<UInt8>, rule: Int, count: Int64) throws

    /// Whether two values are the same that differ, of a column of `ObjectForm.namingColumns`.
    func isSame(_ value: [UInt8], _ other: [UInt8]) -> Bool

    /// Called once in a while; where it throws, the assembly ends.
    /// - Throws: any error, which ends the assembly.
    func checkpoint() throws
}

extension AssemblyClient {
    /// No table has values that must be unique.
    /// - Throws: nothing.
    public func notUnique(_ payload: Span<UInt8>, constraint: Int, rival: Int64?) throws {}

    /// No links are counted.
    /// - Throws: nothing.
    public func miscounted(_ payload: Span<UInt8>, rule: Int, count: Int64) throws {}

    /// Values that differ are different.
    public func isSame(_ value: [UInt8], _ other: [UInt8]) -> Bool { false }
}
