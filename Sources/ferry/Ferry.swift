@main
enum Ferry {
    static func main() {}
}
