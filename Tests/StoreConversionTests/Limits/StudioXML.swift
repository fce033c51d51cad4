import Foundation
import FoundationXML
import GeneratedStores

/// What an XML store of studios holds, read by Foundation: the names of elements are Core Data's.
final class StudioXML: NSObject, XMLParserDelegate {
    private struct Object {
        var type: String
        var values: [String: String] = [:]
        var links: [String: [String]] = [:]
    }

    private var objects: [String: Object] = [:]
    private var current = ""
    private var attribute: String?
    private var text = ""

    init(_ path: String) throws {
        super.init()
        let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: path)))
        parser.delegate = self
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch name {
        case "object":
            current = attributes["id"] ?? ""
            objects[current] = Object(type: attributes["type"] ?? "")
        case "attribute":
            attribute = attributes["name"]
            text = ""
        case "relationship":
            let ids = (attributes["idrefs"] ?? "").split(separator: " ").map(String.init)
            objects[current]?.links[attributes["name"] ?? ""] = ids
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard name == "attribute", let attribute else { return }
        objects[current]?.values[attribute] = text
        self.attribute = nil
    }

    /// What `PlainStudio.lines` says.
    var lines: [String] {
        func one(_ object: Object, _ link: String, _ value: String) -> String {
            object.links[link]?.first.flatMap { objects[$0]?.values[value] } ?? ""
        }
        func list(_ object: Object, _ link: String, _ value: String) -> String {
            (object.links[link] ?? []).map { objects[$0]?.values[value] ?? "none" }.joined(separator: "+")
        }
        func all(_ types: String...) -> [Object] { objects.values.filter { types.contains($0.type) } }
        let artists = all("ARTIST", "SOLOIST").map { object -> (Int, String) in
            let photo = object.values["photo"].flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
            let number = object.values["number"] ?? ""
            let line = [
                "artist \(number)", object.type.capitalized, object.values["name"] ?? "",
                object.values["level"] ?? "", object.values["fee"] ?? "", one(object, "label", "code"),
                one(object, "boss", "number"), StudioRows.hexadecimal(photo.map { Array($0) } ?? []),
                list(object, "songs", "title"),
            ].joined(separator: "|")
            return (Int(number) ?? -1, line)
        }
        return artists.sorted { $0.0 < $1.0 }.map(\.1)
            + all("LABEL").map { "label \($0.values["code"] ?? "")|\(list($0, "artists", "number"))" }.sorted()
            + all("SONG").map { "song \($0.values["title"] ?? "")" }.sorted() + ["drafts \(all("DRAFT").count)"]
    }
}
