import TestSupport
import Testing

@testable import StoreImport

@Suite struct KeyHistoryTests {
    /// Different numbers that look like hashes.
    private func hash(_ number: UInt64) -> UInt64 {
        var hash = number &* 0x9e37_79b9_7f4a_7c15
        hash ^= hash >> 31
        return hash &* 0xbf58_476d_1ce4_e5b9
    }

    @Test
    func keysThatAreDifferentAreNewHoweverTheFilterGrowsAndWhateverGoesToTheFile() {
        let history = KeyHistory()
        // More than the first filter holds, and more than one run.
        let known = (1...UInt64(200_000)).filter { history.insert(hash($0)) }
        #expect(known.isEmpty)
    }

    @Test(.long, arguments: [1, 40_000, 65_536, 65_537, 199_999])
    func aKeyThatComesAgainIsKnownFromMemoryAndFromTheFile(_ number: UInt64) {
        let history = KeyHistory()
        for number in 1...UInt64(200_000) { _ = history.insert(hash(number)) }
        #expect(history.insert(hash(number)))
    }

    @Test
    func beyondTheLargestFilterEveryKeyCountsAsKnownItIsLookedUpThen() {
        let history = KeyHistory(KeyHistory.Limits(largestFilter: 64 << 10))
        let known = (1...UInt64(40_000)).map { history.insert(hash($0)) }
        #expect(!known[..<32_768].contains(true))
        #expect(!known[32_768...].contains(false))
    }

    @Test
    func aFilterNeverOverlooksAKeyAndIsSeldomWrongBelowItsCapacity() {
        var filter = KeyFilter(byteCount: 64 << 10)
        let wrong = (1...UInt64(filter.capacity)).filter { filter.insert(hash($0)) }
        #expect(wrong.count < filter.capacity / 1000)
        let overlooked = (1...UInt64(filter.capacity)).filter { !filter.insert(hash($0)) }
        #expect(overlooked.isEmpty)
    }

    @Test
    func whatSeveralFiltersShareIsNeverLessThanTwoMillionKeysNeed() {
        #expect(KeyHistory.Limits().sharing(16 << 20, among: 1).largestFilter == 16 << 20)
        #expect(KeyHistory.Limits().sharing(16 << 20, among: 2).largestFilter == 8 << 20)
        #expect(KeyHistory.Limits().sharing(16 << 20, among: 50).largestFilter == 4 << 20)
    }
}
