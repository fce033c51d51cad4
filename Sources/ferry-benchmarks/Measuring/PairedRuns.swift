/// Two sides that ran in turn, so that whatever else the machine does meets both.
struct PairedRuns {
    let reference: Contestant
    let subject: Contestant
    let referenceRuns: [Usage]
    let subjectRuns: [Usage]

    /// Runs both once for the caches, then in turn, each pair in the other order than the one before.
    init(_ reference: Contestant, _ subject: Contestant, count: Int, note: (String) -> Void) throws {
        self.reference = reference
        self.subject = subject
        _ = try reference.measured()
        _ = try subject.measured()
        var (references, subjects): ([Usage], [Usage]) = ([], [])
        for number in 0..<count {
            if number % 2 == 0 { references.append(try reference.measured()) }
            subjects.append(try subject.measured())
            if number % 2 == 1 { references.append(try reference.measured()) }
            note(
                "\(number + 1) of \(count): \(reference.name) \(Decimals.text(references[number].seconds, 3)) s, "
                    + "\(subject.name) \(Decimals.text(subjects[number].seconds, 3)) s")
        }
        referenceRuns = references
        subjectRuns = subjects
    }

    /// The median of the pairs' ratios: a disturbance that outlasts a pair meets both of its sides.
    var ratio: Double { Median.of(zip(referenceRuns, subjectRuns).map { $1.seconds / $0.seconds }) }

    /// The figure of the wall times.
    func wallTime(_ name: String, ratioAtMost limit: Double?) -> Figure {
        Figure(
            name: name, unit: .seconds, reference: Median.of(referenceRuns.map(\.seconds)),
            referenceName: reference.name, value: Median.of(subjectRuns.map(\.seconds)), ratio: ratio,
            limit: limit.map { .ratio($0) }, runs: subjectRuns.map(\.seconds),
            referenceRuns: referenceRuns.map(\.seconds))
    }

    /// The figure of the wall times for a million records each, where the sides have different numbers of them.
    func wallTimePerMillion(
        _ name: String, referenceRecords: Int, subjectRecords: Int, ratioAtMost limit: Double?
    ) -> Figure {
        let references = referenceRuns.map { $0.seconds * 1e6 / Double(referenceRecords) }
        let subjects = subjectRuns.map { $0.seconds * 1e6 / Double(subjectRecords) }
        return Figure(
            name: name, unit: .seconds, reference: Median.of(references), referenceName: reference.name,
            value: Median.of(subjects), ratio: Median.of(zip(references, subjects).map { $1 / $0 }),
            limit: limit.map { .ratio($0) }, runs: subjects, referenceRuns: references)
    }

    /// The figure of the processor times, which other work on the machine changes least; it has no target.
    func processorTime(_ name: String) -> Figure {
        let (references, subjects) = (referenceRuns.map(\.processorSeconds), subjectRuns.map(\.processorSeconds))
        return Figure(
            name: name, unit: .seconds, reference: Median.of(references), referenceName: reference.name,
            value: Median.of(subjects), ratio: Median.of(zip(references, subjects).map { $1 / max($0, 1e-3) }),
            runs: subjects, referenceRuns: references)
    }

    /// The most memory that a program may take, and by how much more than one with few records: as docs/performance.md promises.
    static let memoryLimit = 64.0 * 1024 * 1024
    private static let memoryGrowthLimit = 8.0 * 1024 * 1024

    /// The figure of the peak memory.
    func memory(_ name: String, limit: Double = Self.memoryLimit) -> Figure {
        Figure(
            name: "\(name), peak memory", unit: .bytes, reference: Double(referenceMemory),
            referenceName: reference.name, value: Double(subjectMemory), limit: .value(limit))
    }

    /// The figure of the memory beyond that for few records.
    func memoryGrowth(_ name: String, small: Int64) -> Figure {
        Figure(
            name: "\(name), more than small", unit: .bytes, reference: Double(small), referenceName: "small",
            value: Double(subjectMemory - small), limit: .value(Self.memoryGrowthLimit))
    }

    var subjectMemory: Int64 { subjectRuns.map(\.peakMemory).max() ?? 0 }
    var referenceMemory: Int64 { referenceRuns.map(\.peakMemory).max() ?? 0 }
}
