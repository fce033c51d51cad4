import PersistentStores
import Testing

@Suite struct KeyWindowsTests {
    /// Claims all windows, and says of each how many of some keys it had.
    private func claimed(_ keys: [Int64], rows: Int) -> (found: [Int64], count: Int) {
        var windows = KeyWindows(from: keys.first ?? 1, to: keys.last ?? 0, rows: rows, keysPerRow: 16)
        var found: [Int64] = []
        var count = 0
        while let window = windows.claim() {
            count += 1
            let inside = keys.filter(window.contains)
            found += inside
            guard windows.note(Int64(inside.count)) else { continue }
            windows.skip(to: keys.first { $0 > window.upperBound })
        }
        return (found, count)
    }

    @Test(arguments: [1, 2, 100])
    func everyKeyIsInOneWindow(rows: Int) {
        for keys: [Int64] in [
            [], [5], Array(1...1000), [.min, -1, 0, 1, .max - 1, .max], [1, 2, 3, 1_000_000, 1_000_001, 1 << 62],
            (1...500).map { $0 * $0 * 1000 },
        ] {
            #expect(claimed(keys, rows: rows).found == keys)
        }
    }

    @Test func gapsAreSkippedAndSparseKeysGetWiderWindows() {
        #expect(claimed([1, 1 << 40, 1 << 60], rows: 10).count <= 3)
        #expect(claimed((1...1000).map { $0 * 10 }, rows: 10).count < 200)
    }

    @Test func skippingNeverGoesBack() {
        var windows = KeyWindows(from: 1, to: 100, rows: 10, keysPerRow: 16)
        #expect(windows.claim() == 1...10)
        windows.skip(to: 5)
        #expect(windows.claim() == 11...20)
        windows.skip(to: 50)
        #expect(windows.claim() == 50...59)
        windows.skip(to: nil)
        #expect(windows.claim() == nil)
    }
}
