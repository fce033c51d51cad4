import PersistentStores

/// A figure over the time that some work took: one line, from 0 up, with the stages of the work.
struct PageChart: Sendable {
    struct Point: Hashable, Sendable {
        /// Since the work began.
        let seconds: Double
        let value: Double
    }

    struct Stage: Hashable, Sendable {
        let name: String
        /// When it began.
        let seconds: Double
    }

    let caption: String
    /// The largest value, as people write it.
    let highest: String
    /// In the order of time.
    let points: [Point]
    let stages: [Stage]

    /// What the chart shows, for those who do not see it.
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

    /// How fast rows were done, and the memory that it took; none for work that was too short to tell.
    static func charts(of samples: [ProgressSample]) -> [PageChart] {
        guard samples.count > 1, let first = samples.first, let last = samples.last, last.seconds > first.seconds else {
            return []
        }
        // Steps: a rate is that of the whole time since the sample before.
        var rates: [Point] = []
        for (before, sample) in zip(samples, samples.dropFirst()) where sample.seconds > before.seconds {
            // Stages that move no rows begin again at 0.
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
