/// The bytes of a file that are to become a value, read block by block.
public protocol FileContent {
    /// How many bytes there are.
    var size: Int { get }

    /// Hands the bytes over in blocks of at most `count`, until `body` returns false.
    /// - Throws: what reading the file throws, and what the body throws.
    func forEachBlock(of count: Int, _ body: (ArraySlice<UInt8>) throws -> Bool) throws
}
