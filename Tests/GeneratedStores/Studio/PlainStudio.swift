public import ManagedObjectModels
import PersistentStores
import SQLiteAccess
public import TestSupport

/// Objects and their links, told plainly: what a store holds before a migration, and what one comes to.
public struct PlainStudio: Sendable {
    public struct Artist: Sendable {
        public var key: Int64
        public var number: Int
        public var name: String?
        public var level: Int?
        public var photo: [UInt8]?
        /// Soloists have one.
        public var fee: Int?
        public var isSoloist = false
        /// Places in the lists below.
        public var label: Int?
        public var boss: Int?
        public var songs: [Int] = []
    }

    public var artists: [Artist] = []
    /// The codes of labels, and the places of their artists in order.
    public var labels: [(key: Int64, code: String, artists: [Int])] = []
    public var songs: [(key: Int64, title: String)] = []
    public var drafts = 0

    public static let model = ManagedObjectModel(entities: [
        entity(
            "Artist",
            [
                attribute("level", .integer32), attribute("name"), attribute("number", .integer32, optional: false),
                attribute("photo", .binaryData, external: true),
            ],
            [
                relationship("boss", to: "Artist", inverse: "staff"),
                relationship("label", to: "Label", inverse: "artists"),
                relationship("songs", to: "Song", inverse: "artists", many: true, ordered: true),
                relationship("staff", to: "Artist", inverse: "boss", many: true),
            ]),
        entity("Draft", [attribute("text")]),
        entity(
            "Label", [attribute("code", optional: false)],
            [relationship("artists", to: "Artist", inverse: "label", many: true, ordered: true)]),
        entity("Soloist", parent: "Artist", [attribute("fee", .integer64)]),
        entity("Song", [attribute("title")], [relationship("artists", to: "Artist", inverse: "songs", many: true)]),
    ])

    // MARK: - At random

    public init(_ count: Int, _ random: inout RandomNumbers) {
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        var key: Int64 = 0
        // Runs without gaps, some gaps, and rarely one that no window spans.
        func next() -> Int64 {
            key += below(30) == 0 ? 1 << 33 : below(4) == 0 ? Int64(below(40) + 1) : 1
            return key
        }
        labels = (0..<7).map { (next(), "l\($0)", []) }
        key = 0
        songs = (0..<9).map { (next(), "s\($0)") }
        drafts = below(4)
        key = 0
        let numbers = Array(0..<count).shuffled(using: &random)
        artists = numbers.map { number in
            var artist = Artist(key: next(), number: number)
            artist.isSoloist = below(3) == 0
            if artist.isSoloist, below(2) == 0 { artist.fee = below(1000) }
            if below(5) > 0 { artist.name = "n\(below(count))" }
            if below(4) > 0 { artist.level = below(6) }
            if below(3) == 0 { artist.photo = (0..<[1, 60, 150, 400][below(4)]).map { _ in UInt8(below(256)) } }
            if below(4) > 0 { artist.label = below(labels.count) }
            if below(3) > 0 { artist.boss = below(count) }
            artist.songs = Array(Array(songs.indices).shuffled(using: &random).prefix(below(4)))
            return artist
        }
        for place in artists.indices.shuffled(using: &random) {
            if let label = artists[place].label { labels[label].artists.append(place) }
        }
    }

    /// The same objects for the writer of test stores.
    public func content(_ model: ResolvedModel) -> StoreContent {
        func slot(_ name: String) -> Int { model.slot(named: name) ?? 0 }
        func key(_ entity: String, _ name: String) -> PropertyKey { PropertyKey(owner: slot(entity), name: name) }
        func link(_ owner: Int, _ destination: Int) -> StoreContent.Link {
            StoreContent.Link(owner: owner, destination: destination)
        }
        var content = StoreContent()
        for artist in artists {
            var object = StoreContent.Object(slot: slot(artist.isSoloist ? "Soloist" : "Artist"), key: artist.key)
            object.values[key("Artist", "number")] = .integer(Int64(artist.number))
            object.values[key("Artist", "name")] = artist.name.map { .string($0) }
            object.values[key("Artist", "level")] = artist.level.map { .integer(Int64($0)) }
            object.values[key("Artist", "photo")] = artist.photo.map { .blob($0) }
            object.values[key("Soloist", "fee")] = artist.fee.map { .integer(Int64($0)) }
            content.objects.append(object)
        }
        for label in labels {
            var object = StoreContent.Object(slot: slot("Label"), key: label.key)
            object.values[key("Label", "code")] = .string(label.code)
            content.objects.append(object)
        }
        for song in songs {
            var object = StoreContent.Object(slot: slot("Song"), key: song.key)
            object.values[key("Song", "title")] = .string(song.title)
            content.objects.append(object)
        }
        for draft in 0..<drafts {
            content.objects.append(StoreContent.Object(slot: slot("Draft"), key: Int64(draft + 1)))
        }
        content.links[key("Artist", "boss")] = artists.enumerated().compactMap { place, artist in
            artist.boss.map { link(place, $0) }
        }
        content.links[key("Artist", "label")] = labels.enumerated().flatMap { place, label in
            label.artists.map { link($0, artists.count + place) }
        }
        content.links[key("Artist", "songs")] = artists.enumerated().flatMap { place, artist in
            artist.songs.map { link(place, artists.count + labels.count + $0) }
        }
        return content
    }

    // MARK: - As lines

    /// Artists with all that they have, labels with their artists in order, and songs.
    public var lines: [String] {
        let artistLines = artists.sorted { $0.number < $1.number }.map { artist -> String in
            let fee = artist.fee.map { "\($0)" } ?? ""
            let level = artist.level.map { "\($0)" } ?? ""
            let label = artist.label.map { labels[$0].code } ?? ""
            let boss = artist.boss.map { "\(artists[$0].number)" } ?? ""
            let photo = StudioRows.hexadecimal(artist.photo ?? [])
            let titles = artist.songs.map { songs[$0].title }.joined(separator: "+")
            let fields: [String] = [
                "artist \(artist.number)", artist.isSoloist ? "Soloist" : "Artist", artist.name ?? "", level, fee,
                label,
                boss, photo, titles,
            ]
            return fields.joined(separator: "|")
        }
        let labelLines = labels.map { label -> String in
            let numbers = label.artists.map { "\(artists[$0].number)" }
            return "label \(label.code)|\(numbers.joined(separator: "+"))"
        }
        return artistLines + labelLines.sorted() + songs.map { "song \($0.title)" }.sorted() + ["drafts \(drafts)"]
    }
}
