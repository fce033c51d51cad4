/// How much of a payload lies in its cell, the rest on overflow pages ("Database File Format", section 1.6).
struct PayloadLimits {
    let usable: Int
    /// The largest payload that lies in a cell whole.
    let largest: Int
    private let smallest: Int

    /// - Parameter usable: bytes of a page.
    init(usable: Int, isTable: Bool) {
        self.usable = usable
        largest = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        smallest = (usable - 12) * 32 / 255 - 23
    }

    /// The bytes in the cell of a payload of that size.
    @inline(__always)
    func local(_ size: Int) -> Int {
        if size <= largest { return size }
        let wanted = smallest + (size - smallest) % (usable - 4)
        return wanted <= largest ? wanted : smallest
    }
}
