/// A client of an assembly, which is called after all objects have been added.
public protocol AssemblyClient {
    /// Handles a reference without a destination.
    ///
    /// - Parameters:
    ///   - payload: the bytes that were given with the reference.
    ///   - owner: the primary key of the object with the reference.
    /// - Throws: any error, which ends the assembly.
    func absent(_ payload: Span<UInt8>, owner: Int64) throws

    /// Handles a row that is rejected because it is the first with its key and lacks a value or an object that a new
    /// object needs, or because it must be the first with its key and is not.
    ///
    /// - Parameters:
    ///   - payload: the bytes that were given with the row.
    ///   - isMatch: whether the reason is that another row has created its object.
    /// - Throws: any error, which ends the assembly.
    func rejected(_ payload: Span<UInt8>, isMatch: Bool) throws

    /// Handles a row that is rejected because another object has a value that must be unique.
    ///
    /// - Parameters:
    ///   - payload: the bytes that were given with the value.
    ///   - constraint: the number of the constraint in the table's `UniqueValues`.
    ///   - rival: the number of the first record of that object that is also rejected; nil if there is no such record,
    ///     or if the table does not keep records.
    /// - Throws: any error, which ends the assembly.
    func notUnique(_ payload: Span<UInt8>, constraint: Int, rival: Int64?) throws

    /// Handles a row that is rejected because its object, or one of its destinations, has too many links or too few.
    ///
    /// - Parameters:
    ///   - payload: the bytes that were given with the row.
    ///   - rule: the number of the rule, in the order of the calls of `StoreAssembly.require`.
    ///   - count: the number of links of the object.
    /// - Throws: any error, which ends the assembly.
    func miscounted(_ payload: Span<UInt8>, rule: Int, count: Int64) throws

    /// Returns whether two different values of a column in `ObjectForm.namingColumns` stand for the same data.
    func isSame(_ value: [UInt8], _ other: [UInt8]) -> Bool

    /// Is called once in a while. An error that it throws ends the assembly.
    /// - Throws: any error, which ends the assembly.
    func checkpoint() throws
}

extension AssemblyClient {
    /// Does nothing, for clients without values that must be unique.
    /// - Throws: nothing.
    public func notUnique(_ payload: Span<UInt8>, constraint: Int, rival: Int64?) throws {}

    /// Does nothing, for clients whose links are not counted.
    /// - Throws: nothing.
    public func miscounted(_ payload: Span<UInt8>, rule: Int, count: Int64) throws {}

    /// Returns false: different values stand for different data.
    public func isSame(_ value: [UInt8], _ other: [UInt8]) -> Bool { false }
}
