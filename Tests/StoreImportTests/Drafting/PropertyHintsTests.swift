import RecordConversion
import Testing

@testable import ImportMappings

/// What MagicalRecord, Sync and Groot keep in the userInfo of models.
@Suite struct PropertyHintsTests {
    private static func userInfo(_ entries: [(String, String)]) -> String {
        "<userInfo>" + entries.map { "<entry key='\($0.0)' value='\($0.1)'/>" }.joined() + "</userInfo>"
    }

    private static func attribute(_ name: String, _ type: String, _ entries: (String, String)...) -> String {
        "<attribute name='\(name)' optional='YES' attributeType='\(type)'>\(userInfo(entries))</attribute>"
    }

    private func mapped(_ entities: String, json: String) throws -> ObjectMapping {
        let fixture = try DraftFixture(entities)
        let source = try fixture.fixture.write(json, as: "people.json")
        return try #require(fixture.draft([source]).mapping.sources.first?.objects.first)
    }

    @Test func magicalRecordsNamesPathsAndDates() throws {
        let person = try mapped(
            "<entity name='Person'>"
                + Self.attribute("city", "String", ("mappedKeyName", "gone"), ("mappedKeyName.1", "address.town"))
                + Self.attribute("born", "Date", ("mappedKeyName", "birth"), ("dateFormat", "M/d/yyyy H-mm-ss"))
                + Self.attribute("seen", "Date", ("dateFormat", "UnixTime"))
                + Self.attribute("number", "Integer 64", ("mappedKeyName", "nr"))
                + Self.attribute("rank", "Integer 16", ("useDefaultValueWhenNotPresent", "YES"))
                + Self.userInfo([("relatedByAttribute", "number")]) + "</entity>",
            json: #"[{"nr": 7, "address": {"town": "Ulm"}, "birth": "2/29/2024 8-05-00", "seen": 86400, "rank": 1}]"#)
        let attributes = Dictionary(uniqueKeysWithValues: person.attributes.map { ($0.attribute, $0) })
        #expect(attributes["city"]?.value == .column("address.town"))
        #expect(attributes["born"]?.value == .column("birth"))
        #expect(attributes["born"]?.conversion.date == "M/d/yyyy H-mm-ss")
        #expect(attributes["seen"]?.conversion.date == "seconds1970")
        #expect(person.key == ["number"])
    }

    @Test(arguments: ["hyper", "sync"]) func syncsNamesAndKeys(_ prefix: String) throws {
        let person = try mapped(
            "<entity name='Person'>" + Self.attribute("label", "String", ("\(prefix).remoteKey", "display_name"))
                + Self.attribute("number", "String", ("\(prefix).isPrimaryKey", "YES"))
                + Self.attribute("remoteID", "Integer 32") + "</entity>",
            json: #"[{"display_name": "Ada", "number": "n1", "id": 4}]"#)
        #expect(person.attributes.map(\.value) == [.column("display_name"), .column("number"), .column("id")])
        #expect(person.key == ["number"])
    }

    @Test func grootsPathsAndIdentity() throws {
        let person = try mapped(
            "<entity name='Person'>" + Self.attribute("label", "String", ("JSONKeyPath", "names.full"))
                + Self.attribute("source", "String") + Self.attribute("number", "Integer 32")
                + Self.userInfo([("identityAttributes", "source, number")]) + "</entity>",
            json: #"[{"names": {"full": "Ada"}, "number": 1, "source": "x"}]"#)
        #expect(person.attributes.first { $0.attribute == "label" }?.value == .column("names.full"))
        #expect(person.key == ["source", "number"])
    }

    @Test func aRelationshipsOwnNameAndKeyCount() throws {
        let person = try mapped(
            "<entity name='Person'><attribute name='name' optional='YES' attributeType='String'/><relationship name='boss' "
                + "optional='YES' maxCount='1' destinationEntity='Person'>"
                + Self.userInfo([("mappedKeyName", "reports_to"), ("relatedByAttribute", "name")])
                + "</relationship></entity>",
            json: #"[{"name": "Ada", "reports_to": "Grace"}, {"name": "Grace", "reports_to": null}]"#)
        #expect(
            person.relationships == [
                RelationshipMapping(
                    relationship: "boss", target: .key(.init(attribute: "name", value: .column("reports_to"))))
            ])
    }
}
