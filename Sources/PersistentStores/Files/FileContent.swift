import Glibc

/// The bytes of a file that are to become a value, read in blocks.
public protocol FileContent {
    /// The number of bytes.
    var size: Int { get }

    /// Calls a closure with the bytes in blocks of at most `count`, until it returns false.
    /// - Throws: any error from reading the file, or from the closure.
    func forEachBlock(of count: Int, _ body: (ArraySlice<UInt8>) throws -> Bool) throws
}

/// The bytes of an open file from its current offset.
package struct DescriptorContent: FileContent {
    package let size: Int
    private let descriptor: Int32
    private let path: String

    /// - Parameters:
    ///   - descriptor: an open file, which the caller closes.
    ///   - path: the path for error messages.
    ///   - size: the value of `size`.
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
