import Foundation
import PersistentStores
import StoreMigration

/// The figures of a run, as a table or as JSON.
struct BenchmarkReport {
    private let session: BenchmarkSession
    private let figures: [Figure]

    init(_ session: BenchmarkSession, figures: [Figure]) {
        self.session = session
        self.figures = figures
    }

    private struct Document: Encodable {
        let suite: String
        let rows: Int
        let runs: Int
        let cores: Int
        let loadAverage: Double
        let figures: [FigureDocument]
        let targetsMet: Bool
    }

    private struct FigureDocument: Encodable {
        let name: String
        let unit: Figure.Unit
        let value: Double
        let reference: Double?
        let referenceName: String?
        let ratio: Double?
        let ratioAtMost: Double?
        let valueAtMost: Double?
        let isMet: Bool
        let runs: [Double]
        let referenceRuns: [Double]
    }

    func json() throws -> String {
        let figures = figures.map { figure in
            var (ratioLimit, valueLimit): (Double?, Double?)
            switch figure.limit {
            case .ratio(let limit)?: ratioLimit = limit
            case .value(let limit)?: valueLimit = limit
            case nil: break
            }
            return FigureDocument(
                name: figure.name, unit: figure.unit, value: figure.value, reference: figure.reference,
                referenceName: figure.referenceName, ratio: figure.ratio, ratioAtMost: ratioLimit,
                valueAtMost: valueLimit, isMet: figure.isMet, runs: figure.runs, referenceRuns: figure.referenceRuns)
        }
        let document = Document(
            suite: session.suite, rows: session.options.rows, runs: session.options.runs, cores: session.coreCount,
            loadAverage: session.loadAverage, figures: figures, targetsMet: self.figures.allSatisfy(\.isMet))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }

    func text() -> String {
        var rows = [["", "reference", "", "ferry", "ratio", "target", ""]]
        for figure in figures {
            let target: String? =
                switch figure.limit {
                case .ratio(let limit)?: "at most \(Decimals.text(limit, 2))"
                case .value(let limit)?: "at most \(Decimals.text(limit, figure.unit))"
                case nil: nil
                }
            rows.append([
                figure.name, figure.reference.map { Decimals.text($0, figure.unit) } ?? "", figure.referenceName ?? "",
                Decimals.text(figure.value, figure.unit), figure.ratio.map { Decimals.text($0, 2) } ?? "",
                target ?? "", target == nil ? "" : figure.isMet ? "met" : "MISSED",
            ])
        }
        let leftAligned: Set = [0, 2, 6]
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += (leftAligned.contains(column) ? cell + padding : padding + cell) + "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
        let machine = "\(session.coreCount) cores, load \(Decimals.text(session.loadAverage, 2)) at the start"
        return "\(session.suite): \(Quantity.count(Int64(session.options.rows))) rows, medians of "
            + "\(session.options.runs) runs, \(machine)\n\n" + lines.joined(separator: "\n") + "\n"
    }
}
