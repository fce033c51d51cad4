import StoreImport
import Testing

/// A record of an image in an album, with two values of bytes.
struct ImageRecord {
    let code: String
    /// Values that a record does not mention are absent, those that are nil are NULL.
    let data: String??
    let icon: String??
    let album: String

    var text: String {
        func field(_ name: String, _ value: String??) -> String {
            guard let value else { return "" }
            return ", \"\(name)\": " + (value.map { "\"\($0)\"" } ?? "null")
        }
        return "{\"code\": \"\(code)\"\(field("data", data))\(field("icon", icon)), \"album\": \"\(album)\"}\n"
    }

    /// The entities of a model; the data may be files of their own.
    static func entities(isIconExternal: Bool) -> String {
        """
        <entity name="Album"><attribute name="code" attributeType="String"/>
        <relationship name="images" optional="YES" toMany="YES" destinationEntity="Image" inverseName="album" \
        inverseEntity="Album"/></entity>
        <entity name="Image"><attribute name="code" optional="YES" attributeType="String"/>
        <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="icon" optional="YES" attributeType="Binary" \
        allowsExternalBinaryDataStorage="\(isIconExternal ? "YES" : "NO")"/>
        <relationship name="album" optional="YES" maxCount="1" destinationEntity="Album" inverseName="images" \
        inverseEntity="Image"/></entity>
        """
    }
}

/// What records of images come to, read one after the other.
struct PlainImages {
    private(set) var images: [[String?]] = []
    private var inserted: Int64 = 0
    private var updated: Int64 = 0
    private var unchanged: Int64 = 0
    private var skipped: Int64 = 0
    private var rejected = 0

    /// - Parameters:
    ///   - rule: what is done with images that are there: `update`, `fill` or `skip`.
    ///   - isAccepted: whether a record is not rejected.
    ///   - content: the bytes of a value.
    init(
        _ records: [ImageRecord], hasKey: Bool, rule: String, where isAccepted: (ImageRecord) -> Bool,
        content: (String) -> String? = { $0 }
    ) {
        var places: [String: Int] = [:]
        for record in records {
            guard isAccepted(record) else {
                rejected += 1
                continue
            }
            let data = record.data.map { $0.flatMap(content) }
            let icon = record.icon.map { $0.flatMap(content) }
            guard hasKey, let place = places[record.code] else {
                places[record.code] = images.count
                images.append([record.code, data ?? nil, icon ?? nil, record.album])
                inserted += 1
                continue
            }
            if rule == "skip" {
                skipped += 1
                continue
            }
            let before = images[place]
            for (column, value) in [(1, data), (2, icon), (3, .some(record.album))] {
                guard let value, rule == "update" || images[place][column] == nil else { continue }
                images[place][column] = value
            }
            if images[place] == before { unchanged += 1 } else { updated += 1 }
        }
    }

    var lines: [String] { images.map { $0.map { $0 ?? "-" }.joined(separator: "|") }.sorted() }

    /// Expects that a report has the same counts.
    ///
    /// - Parameter countsChanges: whether it must say how many records changed an image, and how many did not.
    func check(_ report: ImportReport, countsChanges: Bool = true, _ context: String) {
        let counts = report.entities.first { $0.entity == "Image" }
        #expect(counts?.inserted ?? 0 == inserted, "\(context)")
        #expect(counts?.skipped ?? 0 == skipped, "\(context)")
        #expect(report.rejected == rejected, "\(context)")
        guard countsChanges else { return }
        #expect(counts?.updated ?? 0 == updated, "\(context)")
        #expect(counts?.unchanged ?? 0 == unchanged, "\(context)")
    }
}
