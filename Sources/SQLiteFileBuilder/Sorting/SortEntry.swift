/// An entry that is being sorted: eight bytes of its key, and the place of its record.
struct SortEntry {
    var window: UInt64 = 0
    var start: UInt32 = 0
    /// The number of bytes of the record. The highest bit is set if the key continues after the window.
    private var bits: UInt32 = 0

    init() {}

    init(start: Int, count: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        bits = UInt32(truncatingIfNeeded: count)
    }

    var range: Range<Int> { Int(start)..<Int(start) + Int(bits & 0x7fff_ffff) }

    var goesOn: Bool {
        get { bits >> 31 == 1 }
        set { bits = bits & 0x7fff_ffff | (newValue ? 0x8000_0000 : 0) }
    }
}
