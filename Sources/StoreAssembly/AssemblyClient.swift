/// What an assembly calls when all objects are there.
public protocol AssemblyClient {
    /// A reference leads nowhere.
    ///
    /// - Parameters:
    ///   - payload: what came with the reference.
    ///   - owner: the primary key of the object that refers.
    func absent(_ payload: Span<UInt8>, owner: Int64) throws

    /// A row cannot be: it is the first with its key, and lacks what a new object needs.
    ///
    /// - Parameter payload: what came with the row.
    func rejected(_ payload: Span<UInt8>) throws

    /// Called once in a while; where it throws, the assembly ends.
    func checkpoint() throws
}
