import Foundation
import TestSupport

/// Data files of the corpus that are imported as a whole, with queries for what they hold.
struct RealData: Sendable, CustomStringConvertible {
    let name: String
    /// The files below the corpus.
    let files: [String]
    /// The model: below the samples' mappings, or with a slash at its front below the corpus.
    let model: String
    let mapping: String
    /// The exit status: 1 where some links lead nowhere.
    var status: Int32 = 0
    /// Rows whose count and digest are known by other means, by the name of the fact.
    let tables: [String: String]
    /// Single values that are known by other means.
    var values: [String: String] = [:]

    var description: String { name }

    private static let transit = "google__transit/gtfs/spec/en/examples/sample-feed-1/"
    private static let traveling = "designatednerd__TravelPlanner/SharedFramework/"
    private static let feeds = "Ranchero-Software__RSParser/Tests/RSParserTests/Resources/"

    static let all = [
        RealData(
            name: "travel", files: [traveling + "RawData/airports.csv", traveling + "RawData/airlines.csv"],
            model: "/" + traveling + "CoreData/TravelPlanner.xcdatamodeld", mapping: "TravelPlanner/travelplanner.yaml",
            tables: [
                "travel.airports":
                    "SELECT ZID, ZNAME, ZCITY, ZCOUNTRY, ZIATACODE, ZICAOCODE, ZTIMEZONENAME FROM ZAIRPORT",
                "travel.airlines": "SELECT ZID, ZNAME, ZIATACODE, ZICAOCODE, ZCALLSIGN, ZCOUNTRY FROM ZAIRLINE",
            ],
            values: [
                "travel.airportsWithoutCode": "SELECT count(*) FROM ZAIRPORT WHERE ZIATACODE IS NULL",
                "travel.airport676": "SELECT ZNAME FROM ZAIRPORT WHERE ZID = '676'",
                "travel.airline13394": "SELECT ZIATACODE FROM ZAIRLINE WHERE ZID = '13394'",
            ]),
        RealData(
            name: "atlas",
            files: [
                "mledoze__countries/dist/countries.json", "datasets__country-codes/data/country-codes.csv",
                "datasets__world-cities/data/world-cities.csv",
            ],
            model: "Atlas/Atlas.xcdatamodel", mapping: "Atlas/atlas.yaml", status: 1,
            tables: [
                "atlas.countries": """
                SELECT ZCODE, ZNUMERICCODE, ZNAME, ZOFFICIALNAME, ZCAPITAL, ZREGION, ZSUBREGION, ZISINDEPENDENT,
                ZISLANDLOCKED, ZLATITUDE, ZLONGITUDE, ZAREA FROM ZCOUNTRY
                """,
                "atlas.borders": """
                SELECT a.ZCODE, b.ZCODE FROM Z_2BORDERS j JOIN ZCOUNTRY a ON a.Z_PK = j.REFLEXIVE
                JOIN ZCOUNTRY b ON b.Z_PK = j.Z_2BORDERS
                """,
                "atlas.codes": "SELECT ZCODE, ZDIALCODE, ZCURRENCY FROM ZCOUNTRY",
                "atlas.cities": """
                SELECT c.ZGEONAMEID, c.ZNAME, c.ZSUBDIVISION, o.ZCODE FROM ZCITY c
                LEFT JOIN ZCOUNTRY o ON o.Z_PK = c.ZCOUNTRY
                """,
            ],
            values: [
                "atlas.unresolved": "SELECT count(*) FROM ZCITY WHERE ZCOUNTRY IS NULL",
                "atlas.switzerland": """
                SELECT group_concat(ZCODE, ' ') FROM (SELECT b.ZCODE FROM ZCOUNTRY a JOIN Z_2BORDERS j
                ON j.REFLEXIVE = a.Z_PK JOIN ZCOUNTRY b ON b.Z_PK = j.Z_2BORDERS WHERE a.ZCODE = 'CHE' ORDER BY 1)
                """,
            ]),
        RealData(
            name: "gtfs",
            files: [
                "agency", "calendar", "calendar_dates", "fare_attributes", "fare_rules", "frequencies", "routes",
                "shapes",
                "stop_times", "stops", "trips",
            ].map { "\(transit)\($0).txt" },
            model: "Transit/Transit.xcdatamodel", mapping: "Transit/gtfs.yaml",
            tables: [
                "gtfs.routes": """
                SELECT r.ZID, a.ZID, r.ZSHORTNAME, r.ZLONGNAME, r.ZKIND FROM ZROUTE r
                JOIN ZAGENCY a ON a.Z_PK = r.ZAGENCY
                """,
                "gtfs.stops": "SELECT ZID, ZNAME, ZLATITUDE, ZLONGITUDE FROM ZSTOP",
                "gtfs.services": """
                SELECT ZID, ZSTART, ZEND, ZRUNSMONDAY || ZRUNSTUESDAY || ZRUNSWEDNESDAY || ZRUNSTHURSDAY || ZRUNSFRIDAY
                || ZRUNSSATURDAY || ZRUNSSUNDAY FROM ZSERVICE
                """,
                "gtfs.exceptions": """
                SELECT s.ZID, e.ZDATE, e.ZISADDED FROM ZEXCEPTION e JOIN ZSERVICE s ON s.Z_PK = e.ZSERVICE
                """,
                "gtfs.trips": """
                SELECT t.ZID, r.ZID, s.ZID, t.ZHEADSIGN, t.ZDIRECTION, t.ZBLOCK FROM ZTRIP t
                JOIN ZROUTE r ON r.Z_PK = t.ZROUTE JOIN ZSERVICE s ON s.Z_PK = t.ZSERVICE
                """,
                // The place in the ordered relationship must be that in the file, which is sorted.
                "gtfs.stopTimes": """
                SELECT t.ZID, row_number() OVER (PARTITION BY t.Z_PK ORDER BY x.Z_FOK_TRIP), s.ZID, x.ZARRIVAL,
                x.ZDEPARTURE FROM ZSTOPTIME x JOIN ZTRIP t ON t.Z_PK = x.ZTRIP JOIN ZSTOP s ON s.Z_PK = x.ZSTOP
                """,
                "gtfs.frequencies": """
                SELECT t.ZID, f.ZSTART, f.ZEND, f.ZHEADWAY FROM ZFREQUENCY f JOIN ZTRIP t ON t.Z_PK = f.ZTRIP
                """,
                "gtfs.fares": "SELECT ZID, ZPRICE, ZCURRENCY, ZISPAIDONBOARD FROM ZFARE",
                "gtfs.fareRoutes": """
                SELECT f.ZID, r.ZID FROM Z_3ROUTES j JOIN ZFARE f ON f.Z_PK = j.Z_3FARES
                JOIN ZROUTE r ON r.Z_PK = j.Z_5ROUTES
                """,
            ]),
        RealData(
            name: "gpx",
            files: ["Mojstrovka", "around-visnjan-with-car", "cerknicko-jezero"].map {
                "tkrajina__gpxpy/test_files/\($0).gpx"
            },
            model: "Tracks/Tracks.xcdatamodel", mapping: "Tracks/gpx.yaml",
            tables: [
                "gpx.waypoints": "SELECT ZLATITUDE, ZLONGITUDE, ZELEVATION, ZNAME, ZSYMBOL, ZTIME FROM ZWAYPOINT",
                "gpx.points": """
                SELECT t.ZNAME, row_number() OVER (PARTITION BY t.Z_PK ORDER BY p.Z_FOK_TRACK), p.ZLATITUDE, p.ZLONGITUDE,
                p.ZELEVATION, p.ZTIME FROM ZTRACKPOINT p JOIN ZTRACK t ON t.Z_PK = p.ZTRACK
                """,
            ]),
        RealData(
            name: "osm", files: ["osmcode__osm-testdata/grid/data/all.osm"], model: "StreetMap/StreetMap.xcdatamodel",
            mapping: "StreetMap/osm.yaml",
            tables: [
                "osm.nodes": "SELECT ZID, ZLATITUDE, ZLONGITUDE, ZVERSION, ZTIMESTAMP, ZUSER FROM ZNODE",
                "osm.ways": """
                SELECT w.ZID, (SELECT group_concat(ZID, ' ') FROM (SELECT n.ZID FROM Z_1WAYS j JOIN ZNODE n
                ON n.Z_PK = j.Z_1NODES WHERE j.Z_4WAYS = w.Z_PK ORDER BY j.Z_FOK_1NODES)) FROM ZWAY w
                """,
                "osm.tags": "SELECT w.ZID, t.ZKEY, t.ZVALUE FROM ZTAG t JOIN ZWAY w ON w.Z_PK = t.ZWAY",
                "osm.relations": """
                SELECT r.ZID, (SELECT group_concat(ZID, ' ') FROM (SELECT w.ZID FROM Z_2WAYS j JOIN ZWAY w
                ON w.Z_PK = j.Z_4WAYS1 WHERE j.Z_2RELATIONS = r.Z_PK ORDER BY j.Z_FOK_4WAYS1)) FROM ZRELATION r
                """,
            ]),
        RealData(
            name: "rss",
            files: ["EMarley", "KatieFloyd", "atp", "cloudblog", "manton", "theomnishow"].map { "\(feeds)\($0).rss" },
            model: "Feeds/Feeds.xcdatamodel", mapping: "Feeds/rss.yaml",
            tables: [
                "rss.articles": """
                SELECT ZID, ZTITLE, ZLINK, ZPUBLISHED, ZAUTHOR, length(CAST(ifnull(ZBODY, '') AS BLOB)) FROM ZARTICLE
                """,
                "rss.categories": "SELECT ZNAME FROM ZCATEGORY",
                "rss.pairs": """
                SELECT a.ZID, c.ZNAME FROM Z_1CATEGORIES j JOIN ZARTICLE a ON a.Z_PK = j.Z_1ARTICLES
                JOIN ZCATEGORY c ON c.Z_PK = j.Z_2CATEGORIES
                """,
            ]),
    ]

    private static let mappings = Samples.path + "/Mappings/"

    var mappingPath: String { Self.mappings + mapping }
    var modelPath: String { model.hasPrefix("/") ? Self.corpus + model.dropFirst() : Self.mappings + model }
    var words: [String] {
        files.map { Self.corpus + $0 } + ["--models", modelPath, "--mapping", mappingPath, "--progress", "none"]
    }

    private static var corpus: String { (Corpus.path ?? "") + "/7_data/" }
}
