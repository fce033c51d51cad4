/// The index of a write-ahead log in this process's memory, where SQLite would map a `-shm`.
///
/// One per open file: no one else sees it, so its locks are always granted.
@safe
final class PrivateLogIndex {
    private var regions: [UnsafeMutableRawBufferPointer] = unsafe []

    deinit {
        free()
    }

    /// A region, zeroed when it is made; nil if it is not there and not to be made.
    func region(_ index: Int, size: Int, make: Bool) -> UnsafeMutableRawPointer? {
        while unsafe regions.count <= index {
            guard make else { return nil }
            let region = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
            unsafe region.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe regions.append(region)
        }
        return unsafe regions[index].baseAddress
    }

    func free() {
        unsafe regions.forEach { unsafe $0.deallocate() }
        unsafe regions = []
    }
}
