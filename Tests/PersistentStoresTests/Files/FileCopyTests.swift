import Foundation
import Glibc
import TestSupport
import Testing
import Threading

@testable import PersistentStores

/// Copies of files of all sizes around those of a block, whatever becomes of the source meanwhile.
@Suite struct FileCopyTests {
    private static func write(_ count: Int, to path: String) throws -> Data {
        var random = RandomNumbers(seed: UInt64(count))
        var bytes = [UInt8](repeating: 0, count: count)
        for index in stride(from: 0, to: count, by: 511) { bytes[index] = UInt8.random(in: 1...255, using: &random) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return Data(bytes)
    }

    private static func content(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    @Test(arguments: [0, 1, 4096, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (17 << 20) + 5])
    func theCopyHasTheSameBytes(count: Int) throws {
        let directory = try TemporaryDirectory()
        let (source, copy) = (directory.file("source"), directory.file("copy"))
        let bytes = try Self.write(count, to: source)
        try FileSystem.copyFile(source, to: copy)
        #expect(try Self.content(copy) == bytes)
        // Into a file that has been longer.
        let other = directory.file("other")
        _ = try Self.write(count + 5000, to: other)
        try FileSystem.copyContents(of: source, into: other)
        #expect(try Self.content(other) == bytes)
    }

    /// How bytes are copied.
    enum Way: CaseIterable {
        case throughMemory, inKernel, direct
    }

    /// As where the file system shares no blocks, which is asked for first.
    private static func copyBlocks(
        _ source: String, to copy: String, _ way: Way, shown: CopyProgress? = nil, isCancelled: (() -> Bool)? = nil
    ) throws {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        let output = open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer {
            close(input)
            close(output)
        }
        var blocks = FileCopy(of: input, source, to: output, copy, isCancelled)
        blocks.isInKernel = way != .throughMemory
        if way == .direct { blocks.directSize = 1 }
        blocks.shown = shown
        try blocks.copyBlocks()
    }

    /// In memory, and on a device if the folder for temporary files of the system is on one.
    @Test(arguments: [1, 4095, 4096, 4097, (2 << 20) - 1, 2 << 20, (2 << 20) + 4097, (17 << 20) + 5])
    func aDirectCopyHasTheSameBytesAndShowsHowFarItIs(count: Int) throws {
        for directory in [try TemporaryDirectory(), try TemporaryDirectory(in: "/var/tmp")] {
            let (source, copy) = (directory.file("source"), directory.file("copy"))
            let bytes = try Self.write(count, to: source)
            let shown = CopyProgress()
            try Self.copyBlocks(source, to: copy, .direct, shown: shown)
            #expect(try Self.content(copy) == bytes)
            // Where the file system cannot write directly, the bytes are copied in another way.
            #expect([0, Int64(count) / 4096 * 4096].contains(shown.copied))
        }
    }

    @Test func aDirectCopyWithoutFurtherThreadsHasTheSameBytes() throws {
        let directory = try TemporaryDirectory()
        let (source, copy) = (directory.file("source"), directory.file("copy"))
        let bytes = try Self.write((9 << 20) + 77, to: source)
        try WorkerThread.$isRefused.withValue(true) { try Self.copyBlocks(source, to: copy, .direct) }
        #expect(try Self.content(copy) == bytes)
    }

    @Test(arguments: Way.allCases)
    func aSourceThatBecomesShorterOrLongerGivesWhatIsRead(way: Way) throws {
        let directory = try TemporaryDirectory()
        for change in [-(2 << 20) - 7, 3 << 20] {
            let (source, copy) = (directory.file("source\(change)"), directory.file("copy\(change)"))
            _ = try Self.write(5 << 20, to: source)
            var asked = 0
            try Self.copyBlocks(source, to: copy, way) {
                asked += 1
                if asked == 2 { truncate(source, off_t((5 << 20) + change)) }
                return false
            }
            #expect(try Self.content(copy) == Self.content(source))
        }
    }

    @Test(arguments: Way.allCases)
    func aCancelledCopyEndsBetweenBlocks(way: Way) throws {
        let directory = try TemporaryDirectory()
        let (source, copy) = (directory.file("source"), directory.file("copy"))
        _ = try Self.write(25 << 20, to: source)
        var asked = 0
        let error = #expect(throws: FileError.self) {
            try Self.copyBlocks(source, to: copy, way) {
                asked += 1
                return asked >= 3
            }
        }
        #expect(error?.isCancelled == true && (3...4).contains(asked))
        #expect(throws: FileError.self) { try FileSystem.copyFile(source, to: directory.file("new")) { true } }
    }

    @Test func aFileThatIsGoneIsNotCopiedAndWhateverElseFailsIsAnError() throws {
        let directory = try TemporaryDirectory()
        let (source, copy) = (directory.file("source"), directory.file("copy"))
        #expect(try !FileSystem.copyFileIfThere(source, to: copy))
        #expect(!FileSystem.isThere(copy))
        let bytes = try Self.write(5000, to: source)
        #expect(try FileSystem.copyFileIfThere(source, to: copy))
        #expect(try Self.content(copy) == bytes)
        // Not a missing source, but a missing folder of the copy, and a source that is not a file.
        #expect(throws: FileError.self) { try FileSystem.copyFileIfThere(source, to: copy + "/inside") }
        #expect(throws: FileError.self) { try FileSystem.copyFileIfThere(source, to: directory.file("no/copy")) }
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        #expect(throws: FileError.self) {
            try FileSystem.copyFileIfThere(directory.file("pipe"), to: directory.file("of a pipe"))
        }
    }
}
