import SQLiteFileBuilder

extension BuildLimits {
    /// - Parameter sortMemory: bytes.
    init(sortMemory: Int) {
        self.init()
        self.sortMemory = sortMemory
    }
}
