import Glibc

/// The bytes of a file that are to become a value, read block by block.
public protocol FileContent {
    /// How many bytes there are.
    var size: Int { get }

    /// Hands the bytes over in blocks of at most `count`, until `body` returns false.
    /// - Throws: what reading the file throws, and what the body throws.
    func forEachBlock(of count: Int, _ body: (ArraySlice<UInt8>) throws -> Bool) throws
}

/// The bytes of an open file, from where it is on.
package struct DescriptorContent: FileContent {
    package let size: Int
    private let descriptor: Int32
    private let path: String

    /// - Parameters:
    ///   - descriptor: a file that the caller closes.
    ///   - path: for errors.
    ///   - size: how many bytes there are, for those who ask.
    package init(_ descriptor: Int32, path: String, size: Int = 0) {
        (self.descriptor, self.path, self.size) = (descriptor, path, size)
    }

    package func forEachBlock(of count: Int, _ body: (ArraySlice<UInt8>) throws -> Bool) throws {
        var block = [UInt8](repeating: 0, count: count)
        while true {
            let found = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else { throw FileError(.read, path) }
            guard found > 0, try body(block[..<found]) else { return }
        }
    }
}
