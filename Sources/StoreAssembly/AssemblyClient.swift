/// What an assembly calls when all objects are there.
public protocol AssemblyClient {
    /// A reference leads nowhere.
    ///
    /// - Parameters:
    ///   - payload: what came with the reference.
    ///   - owner: the primary key of the object that refers.
    /// - Throws: any error, which ends the assembly.
    func absent(_ payload: Span<UInt8>, owner: Int64) throws

    /// A row cannot be: it is the first with its key, and lacks what a new object needs.
    ///
    /// - Parameter payload: what came with the row.
    /// - Throws: any error, which ends the assembly.
    func rejected(_ payload: Span<UInt8>) throws

    /// Whether two values are the same that differ, of a column of `ObjectForm.namingColumns`.
    func isSame(_ value: [UInt8], _ other: [UInt8]) -> Bool

    /// Called once in a while; where it throws, the assembly ends.
    /// - Throws: any error, which ends the assembly.
    func checkpoint() throws
}

extension AssemblyClient {
    /// Values that differ are different.
    public func isSame(_ value: [UInt8], _ other: [UInt8]) -> Bool { false }
}
