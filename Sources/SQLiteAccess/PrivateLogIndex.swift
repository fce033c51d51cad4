/// The index of a write-ahead log in this process's memory, instead of a mapped `-shm`.
///
/// Each open file has its own, so its locks are always granted.
@safe
final class PrivateLogIndex {
    private var regions: [UnsafeMutableRawBufferPointer] = unsafe []

    deinit {
        free()
    }

    /// Returns a region, initially zeroed; nil if it does not exist and is not to be made.
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
