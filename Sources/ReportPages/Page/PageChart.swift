import PersistentStores

/// A chart of a value over the duration of an operation: one line, starting at 0, with the stages of the operation.
struct PageChart: Sendable {
    struct Point: Hashable, Sendable {
        /// The time since the operation began, in seconds.
        let seconds: Double
        let value: Double
    }

    struct Stage: Hashable, Sendable {
        let name: String
        /// The time at which it began, in seconds.
        let seconds: Double
    }

    let caption: String
    /// The largest value, as text.
    let highest: String
    /// The points, in chronological order.
    let points: [Point]
    let stages: [Stage]

    /// A description of the chart, for readers who cannot see it.
    var label: String {
        let names = stages.map(\.name).joined(separator: ", ")
        return "\(caption): at most \(highest), in \(Quantity.duration(points.last?.seconds ?? 0)) (\(names))"
    }

    private init(
        _ caption: String, _ points: [Point], _ samples: [ProgressSample], highest: (Double) -> String
    ) {
        self.caption = caption
        self.points = points
        self.highest = highest(points.map(\.value).max() ?? 0)
        stages = samples.reduce(into: []) { stages, sample in
            if stages.last?.name != sample.stage { stages.append(Stage(name: sample.stage, seconds: sample.seconds)) }
        }
    }

    /// Returns charts of the throughput and of the memory; an empty list if the operation was too short.
    static func charts(of samples: [ProgressSample]) -> [PageChart] {
        guard samples.count > 1, let first = samples.first, let last = samples.last, last.seconds > first.seconds else {
            return []
        }
        // Each rate is the average over the time since the preceding sample.
        var rates: [Point] = []
        for (before, sample) in zip(samples, samples.dropFirst()) where sample.seconds > before.seconds {
            // Stages that process no rows start again at 0.
            let rows = Double(max(0, sample.rows - before.rows))
            let rate = rows / (sample.seconds - before.seconds)
            rates += [Point(seconds: before.seconds, value: rate), Point(seconds: sample.seconds, value: rate)]
        }
        let memory = samples.map { Point(seconds: $0.seconds, value: Double($0.memory)) }
        return [
            PageChart("Rows per second", rates, samples) { Quantity.count(Int64($0)) },
            PageChart("Memory", memory, samples) { Quantity.bytes(Int64($0)) },
        ]
    }
}
