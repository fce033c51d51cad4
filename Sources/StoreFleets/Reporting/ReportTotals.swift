import PersistentStores
import SQLiteAccess

/// Adds up the ledgers of a fleet, one after another.
struct ReportTotals {
    private struct Key: Hashable, Comparable {
        let first: String
        let second: String

        static func < (left: Self, right: Self) -> Bool { (left.first, left.second) < (right.first, right.second) }
    }

    private let start: Double
    private let width: Double
    private let end: Double
    private let limits: FleetReader.Limits
    private var changes: [Key: Int64] = [:]
    private var reasons: [Key: FleetReport.Reason] = [:]
    private var sizes: [Int64: Int64] = [:]
    private var times: [Int64: Int64] = [:]
    private var intervals: [Int64: (stores: Int64, bytes: Int64)] = [:]
    private var stragglers: [FleetReport.Straggler] = []
    private var findings: [Key: FleetReport.Finding] = [:]
    private var (warnings, bytes, objects, seconds) = (Int64(0), Int64(0), Int64(0), 0.0)

    /// The counts of the ledger that was added last.
    private var (rows, temporary) = (Int64(0), Int64(0))

    init(start: Double, end: Double, limits: FleetReader.Limits) {
        (self.start, self.end, self.limits) = (start, end, limits)
        width = max(1, (end - start) / Double(max(1, limits.intervals)))
    }

    mutating func add(_ connection: Connection, shard: Int) throws(SQLiteError) {
        let row = try connection.rows(
            """
            SELECT count(*), total(temporary), total(warnings), total(bytes_before), total(seconds), total(objects)
            FROM outcome WHERE status <> 'begun'
            """)[0]
        rows = row[0].integer ?? 0
        temporary = Self.whole(row[1])
        warnings += Self.whole(row[2])
        bytes = SaturatingSum.of([bytes, Self.whole(row[3])])
        seconds += row[4].real ?? 0
        objects = SaturatingSum.of([objects, Self.whole(row[5])])
        try addGroups(connection)
        for row in try connection.rows(
            "SELECT path, seconds, bytes_before FROM outcome WHERE status <> 'begun' ORDER BY seconds DESC LIMIT ?",
            [.integer(Int64(limits.stragglers))])
        {
            stragglers.append(
                .init(
                    store: row[0].string ?? "", seconds: row[1].real ?? 0, bytes: row[2].integer ?? 0, shard: shard))
        }
        stragglers = Array(stragglers.sorted { $0.seconds > $1.seconds }.prefix(limits.stragglers))
    }

    private mutating func addGroups(_ connection: Connection) throws(SQLiteError) {
        for row in try connection.rows(
            """
            SELECT version_before, version_after, count(*) FROM outcome WHERE status = 'done' GROUP BY 1, 2
            """)
        {
            changes[Key(first: row[0].string ?? "", second: row[1].string ?? ""), default: 0] += row[2].integer ?? 0
        }
        for row in try connection.rows(
            """
            SELECT reason, temporary, count(*), min(store), message FROM outcome WHERE status = 'failed' GROUP BY 1, 2
            """)
        {
            let key = Key(first: row[0].string ?? "", second: row[1].integer == 0 ? "" : "t")
            var reason =
                reasons[key]
                ?? .init(
                    reason: key.first, isTemporary: row[1].integer != 0, stores: 0, examples: [],
                    message: row[4].string ?? "")
            reason.stores += row[2].integer ?? 0
            let missing = limits.examples - reason.examples.count
            if missing > 0 {
                reason.examples += try connection.rows(
                    """
                    SELECT path FROM outcome WHERE status = 'failed' AND reason IS ? AND temporary = ?
                    ORDER BY store LIMIT ?
                    """, [row[0], row[1], .integer(Int64(missing))]
                ).compactMap { $0[0].string }
            }
            reasons[key] = reason
        }
        for row in try connection.rows(
            """
            SELECT json_extract(value, '$.severity'), json_extract(value, '$.code'), count(*),
                total(json_extract(value, '$.count'))
            FROM outcome, json_each(findings) WHERE status <> 'begun' AND findings IS NOT NULL GROUP BY 1, 2
            """)
        {
            let key = Key(first: row[0].string ?? "", second: row[1].string ?? "")
            var finding =
                findings[key] ?? .init(severity: key.first, code: key.second, stores: 0, count: 0)
            finding.stores += row[2].integer ?? 0
            finding.count = SaturatingSum.of([finding.count, Self.whole(row[3])])
            findings[key] = finding
        }
        // The number of digits gives the power of ten that a number is below.
        for row in try connection.rows(
            """
            SELECT length(CAST(coalesce(bytes_before, 0) AS TEXT)), count(*) FROM outcome WHERE status <> 'begun'
            GROUP BY 1
            """)
        { sizes[row[0].integer ?? 0, default: 0] += row[1].integer ?? 0 }
        for row in try connection.rows(
            """
            SELECT length(CAST(CAST(seconds * 1000 AS INTEGER) AS TEXT)), count(*) FROM outcome
            WHERE status <> 'begun' GROUP BY 1
            """)
        { times[row[0].integer ?? 0, default: 0] += row[1].integer ?? 0 }
        for row in try connection.rows(
            """
            SELECT CAST((finished - ?) / ? AS INTEGER), count(*), total(bytes_before) FROM outcome
            WHERE status <> 'begun' GROUP BY 1
            """, [.real(start), .real(width)])
        {
            let number = min(row[0].integer ?? 0, Int64(max(1, limits.intervals)) - 1)
            let known = intervals[number] ?? (0, 0)
            intervals[number] = (
                known.stores + (row[1].integer ?? 0), SaturatingSum.of([known.bytes, Self.whole(row[2])])
            )
        }
    }

    /// Notes whether the shard has to be run again, and begins the next one.
    mutating func note(_ shard: FleetManifest.Shard, in report: inout FleetReport) {
        if rows < shard.stores || temporary > 0 {
            report.again.append(.init(shard: shard.number, pending: shard.stores - rows, temporary: temporary))
        }
        (rows, temporary) = (0, 0)
    }

    func fill(_ report: inout FleetReport) {
        report.changes = changes.sorted { $0.key < $1.key }.map {
            .init(
                from: $0.key.first.isEmpty ? nil : $0.key.first, to: $0.key.second.isEmpty ? nil : $0.key.second,
                stores: $0.value)
        }
        report.reasons = reasons.sorted { ($1.value.stores, $0.key) < ($0.value.stores, $1.key) }.map(\.value)
        report.sizes = sizes.sorted { $0.key < $1.key }.map { .init(below: Self.power($0.key), stores: $0.value) }
        report.times = times.sorted { $0.key < $1.key }.map {
            .init(below: Self.power($0.key) / 1000, stores: $0.value)
        }
        report.throughput = intervals.sorted { $0.key < $1.key }.map {
            .init(
                start: start + Double($0.key) * width, seconds: width, stores: $0.value.stores, bytes: $0.value.bytes)
        }
        (report.stragglers, report.warnings, report.bytes) = (stragglers, warnings, bytes)
        report.objects = objects
        report.findings = findings.sorted { $0.key < $1.key }.map(\.value)
        (report.secondsOfWork, report.secondsElapsed) = (seconds, end - start)
    }

    private static func power(_ digits: Int64) -> Double {
        (0..<max(0, digits)).reduce(1) { value, _ in value * 10 }
    }

    private static func whole(_ value: SQLiteValue) -> Int64 {
        Int64(clamping: Int(min(value.real ?? 0, 9e18)))
    }
}
