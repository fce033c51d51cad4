import Glibc
import PersistentStores
import TestSupport
import Testing

struct StagingSpaceTests {
    /// Opens a new file, removes its name if it is to have none, and writes to it.
    private func open(_ path: String, bytes: Int, isNamed: Bool = true) throws -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        if !isNamed { unlink(path) }
        let content = [UInt8](repeating: 7, count: bytes)
        #expect(write(descriptor, content, bytes) == bytes)
        return descriptor
    }

    @Test func filesOfTheFolderThatAreBeingWrittenCount() throws {
        let folder = try TemporaryDirectory()
        let other = try TemporaryDirectory()
        let space = StagingSpace(beside: folder.file("store"))
        space.measure()
        #expect(space.peak == 0)

        let named = try open(folder.file("named"), bytes: 1 << 20)
        let unnamed = try open(folder.file("unnamed"), bytes: 1 << 20, isNamed: false)
        let elsewhere = try open(other.file("elsewhere"), bytes: 1 << 22)
        let isRead = Glibc.open(folder.file("named"), O_RDONLY | O_CLOEXEC)
        // The same file counts once.
        let again = Glibc.open(folder.file("named"), O_WRONLY | O_CLOEXEC)
        space.measure()
        #expect((2 << 20..<3 << 20).contains(space.peak), "\(space.peak)")

        // The peak remains.
        for descriptor in [named, unnamed, elsewhere, isRead, again] { close(descriptor) }
        space.measure()
        #expect((2 << 20..<3 << 20).contains(space.peak), "\(space.peak)")
    }

    @Test func aFolderThatALinkLeadsToIsTheSame() throws {
        let folder = try TemporaryDirectory()
        let other = try TemporaryDirectory()
        #expect(symlink(folder.path, other.file("link")) == 0)
        let space = StagingSpace(beside: other.file("link/store"))
        let descriptor = try open(folder.file("file"), bytes: 1 << 20)
        defer { close(descriptor) }
        space.measureIfDue()
        #expect(space.peak >= 1 << 20)
    }
}
