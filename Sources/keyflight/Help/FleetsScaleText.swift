/// The cost of large fleets, for `keyflight help fleets`.
extension HelpTopic {
    static let fleetsScaleText = """
        On paper, from measurements with generated sessions of 13 KB, 128 presses and 9 responders:
          sessions a day                      10 million      100 million
          traces                                  130 GB           1.3 TB
          processor time of an ingest      5.6 core-hours   56 core-hours
          the same by Spark                 20 core-hours  200 core-hours
          tables of a lake                         15 GB           155 GB
          objects, one for each trace         10,000,000      100,000,000
          objects, in archives of 128 MB           1,000           10,000
        The number of objects drives the cost first: pack traces into archives where they arrive; export reads a tar
        from standard input. Then reading each trace three times, once for each table: findings of lint would take four
        times as much again, and are in export only. Spark pays for its start, its shuffle and Python besides. Nine
        tenths of a lake are histograms: keep sessions and chords for longer. An ingest on one machine takes 400 MiB,
        however many the traces; it writes files of 5,000 sessions, which a large lake merges once a day.

        """
}
