/// The checkpoints at which a test kills a run of the tool, counted from 1.
public enum KillPoints {
    /// All of them where `FERRY_TEST_EVERY_KILL` says so, else three: one anywhere, and two of the last third, where
    /// files change their names.
    ///
    /// - Parameters:
    ///   - count: how many checkpoints a run passes.
    ///   - cell: what is tested; other cells of a test get other points.
    public static func points(of count: Int, cell: String) -> [Int] {
        guard !TestSettings.killsAtEveryPoint, count > 3 else { return Array(1...max(1, count)) }
        var numbers = RandomNumbers(seed: cell.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        let last = count - count / 3
        return [
            Int.random(in: 1..<last, using: &numbers), Int.random(in: last..<count, using: &numbers), count,
        ]
    }
}
